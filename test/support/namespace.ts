import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, inject } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';

/** Registers a namespace without search attributes on the Temporal server that all tests share; returns its name once it is usable. */
export async function createNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const { connection, close } = openTemporal({ address: inject('temporalAddress'), namespace });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    const isUsable = () =>
      connection.workflowService.countWorkflowExecutions({ namespace }).then(
        () => true,
        () => false,
      );
    await expect.poll(isUsable).toBe(true);
  } finally {
    await close();
  }
  return namespace;
}

/** Variables of a process that shares the Temporal server of all tests, but not the namespace, in which only one installation works. */
export const ownNamespace = async () => ({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_NAMESPACE: await createNamespace(),
});
