import { sleep } from '@temporalio/workflow';
import { live } from '../../workflows/life.ts';
import type { LifeInput } from '../../workflows/messages.ts';

/** The order's workflow with a timer that recorded histories do not have: what a careless change looks like to them. */
export async function order(input: LifeInput): Promise<void> {
  await sleep(1);
  await live(input);
}

export { order as adjustment, order as assembly, order as hold, order as item, order as receipt, order as stock };
