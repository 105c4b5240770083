import { sleep } from '@temporalio/workflow';
import type { SubjectInput } from '../../workflows/messages.ts';
import { reconcile as sweep } from '../../workflows/reconcile.ts';
import { follow } from '../../workflows/subject.ts';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';

/** The workflow of an order with a timer that recorded histories lack, as a careless change would add. */
export async function order(input: SubjectInput): Promise<void> {
  await sleep(1);
  await follow(input);
}

/** The sweep with the same timer. */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  await sleep(1);
  return await sweep(input);
}

export { order as adjustment, order as assembly, order as hold, order as item, order as receipt, order as stock };
