import type { Simulator } from '../../sandbox/simulator/simulator.ts';

/** Delivers events fifty at a time. On a busy machine the answers to more come too late, and the sender gives up at some time. */
export async function deliverAll(
  { deliver }: Pick<Simulator, 'deliver'>,
  events: readonly Parameters<Simulator['deliver']>[0][],
): Promise<void> {
  const left = events.values();
  const lane = async () => {
    for (const event of left) await deliver(event);
  };
  await Promise.all(Array.from({ length: 50 }, lane));
}
