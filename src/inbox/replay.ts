import type { Entry, InboxRows, QuarantinedRow } from './rows.ts';

/** Rows per read: few enough for the largest bodies to fit into memory together. */
const PAGE = 20;

/**
 * Reads every quarantined delivery again and ingests those that are understood now, as after an upgrade or with a new alias.
 * Returns their number; the others stay quarantined.
 */
export async function replayQuarantined({
  rows,
  read,
}: {
  readonly rows: Pick<InboxRows, 'quarantinedAfter' | 'add'>;
  readonly read: (row: QuarantinedRow) => Entry;
}): Promise<number> {
  let replayed = 0;
  let page = await rows.quarantinedAfter(0, PAGE);
  while (page.length > 0) {
    const understood = page.map(read).filter((entry) => entry.quarantineReason === undefined);
    const added = await rows.add(understood);
    replayed += added.filter(Boolean).length;
    page = await rows.quarantinedAfter(page.at(-1)?.id ?? 0, PAGE);
  }
  return replayed;
}
