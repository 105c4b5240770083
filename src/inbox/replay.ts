import type { Entry } from '../domain/entry.ts';
import type { QuarantinedRow } from './tables/bodies.ts';
import type { InboxRows } from './tables/inbox-rows.ts';

/** Rows per read: few enough for the largest bodies to fit into memory together. */
const PAGE = 20;

/**
 * Reads every quarantined delivery again and ingests those that are understood now, as after an upgrade or with a name that was accepted.
 * Returns their number; the others stay quarantined, for the reason that they have now.
 */
export async function replayQuarantined({
  rows,
  read,
}: {
  readonly rows: Pick<InboxRows, 'quarantinedAfter' | 'add' | 'discard' | 'changeReason'>;
  readonly read: (row: QuarantinedRow) => Entry | Promise<Entry>;
}): Promise<number> {
  let replayed = 0;
  let page = await rows.quarantinedAfter(0, PAGE);
  while (page.length > 0) {
    const readings = await Array.fromAsync(page, async (row) => ({ row, entry: await read(row) }));
    const understood = readings.filter(({ entry }) => entry.quarantineReason === undefined);
    const added = await rows.add(understood.map(({ entry }) => entry));
    replayed += added.filter(Boolean).length;
    await rows.discard(understood.map(({ row }) => row.id));
    const changed = readings.filter(({ row, entry }) => (entry.quarantineReason ?? row.reason) !== row.reason);
    for (const [reason, of] of Map.groupBy(changed, ({ entry }) => entry.quarantineReason))
      if (reason !== undefined)
        await rows.changeReason(
          of.map(({ row }) => row.id),
          reason,
        );
    page = await rows.quarantinedAfter(page.at(-1)?.id ?? 0, PAGE);
  }
  return replayed;
}
