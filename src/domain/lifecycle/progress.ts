import type { Registers } from './lifecycle.ts';
import type { Snapshot } from './snapshot.ts';

interface LineProgress {
  readonly picked: boolean;
  readonly packed: boolean;
}

/** Progress of an order's lines: as events of lines reported it, or, if none came, as the order itself shows it. */
export interface Progress {
  /** Number of lines; null if it is unknown. */
  readonly lines: number | null;
  readonly picked: number;
  readonly packed: number;
  /** Lines that events were about, by the order item's id. */
  readonly byLine: Readonly<Record<string, LineProgress>>;
}

/**
 * Counts the lines that are picked and packed. If events told of no line, an order that is picked or packed is so with all of its lines.
 */
export function progressOf({
  registers,
  snapshot,
}: {
  readonly registers: Registers;
  readonly snapshot: Pick<Snapshot, 'lineCount' | 'pickDone' | 'packDone'> | null;
}): Progress {
  const byLine = new Map<string, { picked: boolean; packed: boolean }>();
  for (const [register, observation] of Object.entries(registers)) {
    const [, orderItemId] = /^item(?:Pick|Pack):(.+)$/.exec(register) ?? [];
    if (!orderItemId) continue;
    const line = byLine.get(orderItemId) ?? { picked: false, packed: false };
    byLine.set(orderItemId, line);
    if (observation?.milestone === 'itemPicked') line.picked = true;
    if (observation?.milestone === 'itemPacked') line.packed = true;
  }
  const lines = [...byLine.values()];
  const { lineCount, pickDone, packDone } = snapshot ?? {};
  const isPacked = packDone || registers.pack?.milestone === 'packed';
  const isPicked = pickDone || isPacked;
  const count = (isWhole: boolean | undefined, isCounted: (line: LineProgress) => boolean) =>
    isWhole && lines.length === 0 ? (lineCount ?? 0) : lines.filter(isCounted).length;
  return {
    lines: lineCount ?? null,
    picked: count(isPicked, ({ picked }) => picked),
    packed: count(isPacked, ({ packed }) => packed),
    byLine: Object.fromEntries(byLine),
  };
}
