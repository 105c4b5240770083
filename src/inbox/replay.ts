import type { Entry, InboxRows, QuarantinedRow } from './rows.ts';

/** How many quarantined rows are read at once; the largest fit into memory together. */
const PAGE = 20;

/**
 * Reads every quarantined delivery again and lets those in that are understood by now, as after a new version or a new alias.
 * Returns how many that were; the others stay quarantined.
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
