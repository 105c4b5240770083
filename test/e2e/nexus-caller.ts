import { createNexusServiceClient } from '@temporalio/workflow';
import type { warehouse } from '../../src/temporal/nexus.ts';

/** Operation of the warehouse that a workflow of another namespace calls. */
export interface Call {
  readonly endpoint: string;
  readonly operation: 'getOrder' | 'awaitMilestone';
  readonly input: object;
}

/** Calls an operation, as a workflow of somebody else does. */
export async function call({ endpoint, operation, input }: Call): Promise<unknown> {
  const definition = { name: 'warehouse', operations: { [operation]: { name: operation } } };
  const client = createNexusServiceClient({ endpoint, service: definition as unknown as typeof warehouse });
  return await client.executeOperation(operation, input as never);
}
