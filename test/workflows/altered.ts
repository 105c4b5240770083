import { sleep } from '@temporalio/workflow';
import { order as unaltered } from '../../workflows/order.ts';

/** The order's workflow with a timer that recorded histories do not have: what a careless change looks like to them. */
export async function order(input: Parameters<typeof unaltered>[0]): Promise<void> {
  await sleep(1);
  await unaltered(input);
}
