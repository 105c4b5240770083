import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import { openTemporal } from '../../../src/temporal/connection.ts';
import type { Interfere } from './interference.ts';

/** Age of a restored copy, in milliseconds. */
const MIN_AGE_MS = 1_000;
const MAX_AGE_MS = 5_000;

/** Deletes Temporal's database while the server is stopped. */
export const deleteDatabase: Interfere = async ({ fixture: { temporal } }) => {
  await temporal.stop();
  await temporal.replaceDatabase();
  await temporal.start();
  return `deleted Temporal's database`;
};

/** Replaces Temporal's database with an older copy. */
export const restoreDatabase: Interfere = async ({ fixture: { temporal, folder }, moments, signal }, round) => {
  const copy = join(folder, `temporal-${round}.db`);
  await temporal.copyDatabase(copy);
  const copiedAt = Date.now();
  await pause(moments.between(MIN_AGE_MS, MAX_AGE_MS), undefined, { signal });
  await temporal.stop();
  const ageMs = Date.now() - copiedAt;
  await temporal.replaceDatabase(copy);
  await temporal.start();
  return `restored Temporal's database as of ${ageMs} ms ago`;
};

/** Namespaces between which Dockline alternates; it begins in the last one. */
const NAMESPACES = ['another', 'default'] as const;

/** Minimum that the server accepts. */
const RETENTION = '1 day';

/**
 * Restarts Dockline in another namespace, which has no workflow or those of two rounds before. The announcement in progress is awaited.
 */
export const changeNamespace: Interfere = async ({ fixture: { temporal, service, workers } }, round) => {
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
