import { setTimeout as pause } from 'node:timers/promises';
import { type Figures, findFlaws, reckon, type Sides } from './reckoning.ts';

const POLL_MS = 250;
/** How often a wait in which nothing moves is told of. */
const TELL_MS = 20_000;

/** Waits until nothing is missing and nothing has come for a while, or until nothing has moved for long. */
export async function settle({
  sides,
  quietMs,
  patienceMs,
  say,
  signal,
}: {
  readonly sides: Sides;
  /** How long nothing may come once everything has. */
  readonly quietMs: number;
  /** How long nothing may move before what is missing is taken as lost. */
  readonly patienceMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}): Promise<Figures> {
  let last = '';
  let movedAt = Date.now();
  let toldAt = Date.now();
  for (;;) {
    const figures = reckon(sides);
    const state = JSON.stringify(figures);
    if (state !== last) movedAt = Date.now();
    last = state;
    const stillMs = Date.now() - movedAt;
    if (stillMs >= (figures.missing === 0 ? quietMs : patienceMs)) return figures;
    if (figures.missing > 0 && Date.now() - Math.max(movedAt, toldAt) > TELL_MS) {
      toldAt = Date.now();
      say(
        `nothing has come for ${Math.round(stillMs / 1000)} s; still missing: ${findFlaws(sides).missing.join(', ')}`,
      );
    }
    await pause(POLL_MS, undefined, { signal });
  }
}
