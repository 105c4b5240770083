import type { Overview } from '../../../admin/board/ports.ts';
import type { ListingDeps } from '../../schema.ts';

/** Length of a slice, and number of slices: the last six hours. */
const SLICE = 600_000;
const SLICES = 36;

/** Slices that are over by this are not counted again. */
const SETTLED = 60_000;

/** Creates the counts of announcements made in the last hours. A slice that is over is counted once. */
export function createFlow({ reads, now }: ListingDeps): () => Promise<Overview['flow']> {
  let settled = new Map<number, number>();

  async function countSlice(at: number): Promise<number> {
    const known = settled.get(at);
    if (known !== undefined) return known;
    const { count } = await reads
      .selectFrom('announcements')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('created_at', '>=', at)
      .where('created_at', '<', at + SLICE)
      .executeTakeFirstOrThrow();
    if (at + SLICE + SETTLED < now()) settled.set(at, count);
    return count;
  }

  return async () => {
    const last = Math.floor(now() / SLICE) * SLICE;
    const slices = Array.from({ length: SLICES }, (_, index) => last - (SLICES - 1 - index) * SLICE);
    const flow = [];
    for (const at of slices) flow.push({ at, count: await countSlice(at) });
    settled = new Map(slices.flatMap((at) => (settled.has(at) ? [[at, settled.get(at) ?? 0]] : [])));
    return flow;
  };
}
