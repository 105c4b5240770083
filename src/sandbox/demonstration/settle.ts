import { setTimeout as pause } from 'node:timers/promises';
import { type Evidence, isWell, type Summary, summarize } from './summary.ts';

/** What is watched while a demonstration settles. */
export interface Settling {
  readonly gather: () => Promise<Evidence>;
  /** Whether nothing is on its way any more. */
  readonly isIdle: () => Promise<boolean>;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
  /** How long nothing may move before what is missing is taken as lost, in milliseconds. */
  readonly patienceMs?: number;
}

const POLL_MS = 250;

/** Waits until everything that should come has come and nothing is on its way, or until nothing has moved for long. */
export async function settle({ gather, isIdle, progress, signal, patienceMs = 60_000 }: Settling): Promise<Summary> {
  let last = '';
  let movedAt = Date.now();
  for (;;) {
    const evidence = await gather();
    const summary = summarize(evidence);
    if (isWell(summary) && (await isIdle())) return summary;

    const state = JSON.stringify({ ...summary, elapsedMs: 0 });
    if (state !== last) movedAt = Date.now();
    last = state;
    const { received, expected } = summary.announcements;
    progress(`${received} of ${expected} announcements received`);
    if (Date.now() - movedAt > patienceMs) return summary;
    await pause(POLL_MS, undefined, { signal });
  }
}
