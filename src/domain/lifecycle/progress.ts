import type { Registers } from './lifecycle.ts';

/** How far one line of an order is. */
export interface LineProgress {
  readonly picked: boolean;
  readonly packed: boolean;
}

/** How far an order's lines are, as far as events told. */
export interface Progress {
  /** How many lines there are; null where that is not known. */
  readonly lines: number | null;
  readonly picked: number;
  readonly packed: number;
  /** The lines that an event was about, by the order item's id. */
  readonly byLine: Readonly<Record<string, LineProgress>>;
}

/** Counts the lines that are picked and packed. */
export function progressOf({
  registers,
  snapshot,
}: {
  readonly registers: Registers;
  readonly snapshot: { readonly lineCount?: number } | null;
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
  return {
    lines: snapshot?.lineCount ?? null,
    picked: lines.filter(({ picked }) => picked).length,
    packed: lines.filter(({ packed }) => packed).length,
    byLine: Object.fromEntries(byLine),
  };
}
