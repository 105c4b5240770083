import type { Registers } from './lifecycle.ts';

/** Progress of one line of an order. */
export interface LineProgress {
  readonly picked: boolean;
  readonly packed: boolean;
}

/** Progress of an order's lines, as far as events reported it. */
export interface Progress {
  /** Number of lines; null if it is unknown. */
  readonly lines: number | null;
  readonly picked: number;
  readonly packed: number;
  /** Lines that events were about, by the order item's id. */
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
