import type { Entry, InboxRows, ParkedRow } from './rows.ts';

/** How many parked rows are read at once; the largest fit into memory together. */
const PAGE = 20;

/**
 * Reads every parked delivery again and lets those in that are understood by now, as after a new version or a new alias.
 * Returns how many that were; the others stay parked.
 */
export async function replayParked({
  rows,
  read,
}: {
  readonly rows: Pick<InboxRows, 'parkedAfter' | 'add'>;
  readonly read: (row: ParkedRow) => Entry;
}): Promise<number> {
  let replayed = 0;
  let page = await rows.parkedAfter(0, PAGE);
  while (page.length > 0) {
    const understood = page.map(read).filter((entry) => entry.parkedReason === undefined);
    const added = await rows.add(understood);
    replayed += added.filter(Boolean).length;
    page = await rows.parkedAfter(page.at(-1)?.id ?? 0, PAGE);
  }
  return replayed;
}
