import type { Registers } from './lifecycle.ts';
import type { Snapshot } from './snapshot.ts';

interface LineProgress {
  readonly picked: boolean;
  readonly packed: boolean;
}

/** As events of lines reported it, or else as the order itself shows it. */
export interface Progress {
  readonly lines: number | null;
  readonly picked: number;
  readonly packed: number;
  /** Lines that events were about. */
  readonly byLine: Readonly<Record<string, LineProgress>>;
}

/** Without events of lines, an order that is picked or packed is so with all of its lines. */
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
