import { msToTs } from '@temporalio/common/lib/time.js';
import { openTemporal } from '../../src/temporal/connection.ts';
import type { Meddle } from './meddling.ts';

/** Between which Dockline goes back and forth; it begins in the last one. */
const NAMESPACES = ['another', 'default'] as const;

/** The shortest that the server takes. */
const RETENTION = '1 day';

/**
 * Starts Dockline with another namespace, in which it then finds no workflow or those that it left there two rounds before. An
 * announcement that is being sent is waited for.
 */
export const changeNamespace: Meddle = async ({ world: { temporal, service, workers } }, round) => {
  const namespace = NAMESPACES[(round - 1) % NAMESPACES.length] ?? 'default';
  if (round === 1) await register(temporal.address, namespace);
  const processes = [service, ...workers];
  for (const process of processes) process.configure({ TEMPORAL_NAMESPACE: namespace });
  await Promise.all(processes.map((process) => process.stop()));
  await Promise.all(processes.map((process) => process.start()));
  return `moved Dockline to the namespace ${namespace}`;
};

async function register(address: string, namespace: string): Promise<void> {
  const { connection, close } = openTemporal({ address, namespace });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    });
  } finally {
    await close();
  }
}
