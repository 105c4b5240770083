import { expect } from 'vitest';
import type { System } from './system.ts';

/** Creates an order that is announced as created. */
export async function createOrder({ simulator, announced }: System): Promise<string> {
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderCreate');
  await expect.poll(() => announced(id)).toEqual(['1/created']);
  return id;
}

/** Leaves two events of an order waiting for a GET that keeps failing; both were dispatched. */
export async function leaveUnobserved({ simulator }: System, id: string): Promise<void> {
  const calls = () => simulator.counts().calls.getOrder ?? 0;
  const before = calls();
  simulator.setFaults({ forbidden: ['getOrder'] });
  await simulator.emit(id, 'OrderFullyAllocated');
  await simulator.emit(id, 'OrderUpdate');
  await expect.poll(calls).toBeGreaterThan(before + 2);
}

/** Leaves two announcements of an order recorded but not sent. */
export async function leaveUnsent({ simulator, receiver, view }: System, id: string): Promise<void> {
  receiver.setAnswer(503);
  await simulator.emit(id, 'OrderFullyAllocated');
  await simulator.emit(id, 'OrderUpdate');
  await expect.poll(async () => (await view(id)).lifecycle.revision).toBe(3);
}

/** Lets the warehouse and the destination work again. */
export function restore({ simulator, receiver }: System): void {
  simulator.setFaults({ forbidden: [] });
  receiver.setAnswer(204);
}

/** Expects exactly these announcements of the order without a further event, then the next event as usual. */
export async function expectGapless(system: System, id: string, ...milestones: readonly string[]): Promise<void> {
  const expected = [...milestones, 'updated'].map((milestone, index) => `${index + 1}/${milestone}`);
  await expect.poll(() => system.announced(id)).toEqual(expected.slice(0, -1));
  await system.simulator.emit(id, 'OrderUpdate');
  await expect.poll(() => system.announced(id)).toEqual(expected);
}

/** Returns the newest run of an order's workflow. */
export async function newestRun({ service, workflowId }: System, id: string) {
  const { workflow, workflowService } = service().webhook.client;
  const { runId } = await workflow.getHandle(workflowId(id)).describe();
  const handle = workflow.getHandle(workflowId(id), runId);
  return { handle, workflowService, workflowExecution: { workflowId: workflowId(id), runId } };
}
