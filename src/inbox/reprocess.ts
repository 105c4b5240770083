import type { Entry } from '../domain/entry.ts';
import type { QuarantinedRow } from './tables/bodies.ts';
import type { InboxRows } from './tables/inbox-rows.ts';
import { readReason } from './tables/quarantined.ts';

/** Per read: the largest bodies have to fit into memory together. */
const PAGE = 20;

/** Returns the number of those understood now; the others stay, with their current reason. */
export async function reprocessQuarantined({
  rows,
  read,
}: {
  readonly rows: Pick<InboxRows, 'quarantinedAfter' | 'add' | 'discard' | 'changeReason'>;
  readonly read: (row: QuarantinedRow) => Entry | Promise<Entry>;
}): Promise<number> {
  let reprocessed = 0;
  let page = await rows.quarantinedAfter(0, PAGE);
  while (page.length > 0) {
    const readings = await Array.fromAsync(page, async (row) => ({ row, entry: await read(row) }));
    const understood = readings.filter(({ entry }) => entry.quarantineReason === undefined);
    const added = await rows.add(understood.map(({ entry }) => entry));
    reprocessed += added.filter(Boolean).length;
    await rows.discard(understood.map(({ row }) => row.id));
    const misunderstood = Map.groupBy(readings, ({ entry }) => JSON.stringify(entry.quarantineReason));
    for (const [reason, of] of misunderstood) {
      const changed = of.filter(({ row }) => JSON.stringify(readReason(row)) !== reason);
      const ids = changed.map(({ row }) => row.id);
      if (reason !== undefined && ids.length > 0) await rows.changeReason(ids, JSON.parse(reason));
    }
    page = await rows.quarantinedAfter(page.at(-1)?.id ?? 0, PAGE);
  }
  return reprocessed;
}
