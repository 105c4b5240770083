import { sleep } from '@temporalio/workflow';
import type { SubjectInput } from '../../workflows/messages.ts';
import { reconcile as sweep } from '../../workflows/reconcile.ts';
import { follow } from '../../workflows/subject.ts';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';

/** The order's workflow with a timer that recorded histories do not have: what a careless change looks like to them. */
export async function order(input: SubjectInput): Promise<void> {
  await sleep(1);
  await follow(input);
}

/** The sweep, altered in the same way. */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  await sleep(1);
  return await sweep(input);
}

export { order as adjustment, order as assembly, order as hold, order as item, order as receipt, order as stock };
