import { setTimeout as pause } from 'node:timers/promises';
import { createStream } from '../../sandbox/simulator/random.ts';
import { patience } from '../../test/limits.ts';
import { type Fault, type FaultContext, FaultError } from './fault.ts';
import type { DatabaseName } from './fixture/database.ts';
import { type Fixture, type FixtureOptions, openFixture } from './fixture/fixture.ts';
import { InjectionUnavailableError } from './injection/injection.ts';
import { type Figures, findFlaws, isFlawless, noFigures, settle, verify } from './verification.ts';

/** Fault with the database to run it with. */
export interface FaultRun {
  readonly fault: Fault;
  readonly database: DatabaseName;
}

/** Options and environment of a run. */
export interface FaultRunOptions extends Pick<FixtureOptions, 'createTemporal' | 'path'> {
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
  /** Minimum time without any change before a fault is over, in milliseconds. */
  readonly quietMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Result of a fault. */
export interface Outcome extends FaultRun {
  readonly figures: Figures;
  /** Broken promise besides the figures. */
  readonly problem?: string;
  /** Reason why it was not run. */
  readonly skipped?: string;
}

/** Time without any change after which what is missing is lost: longer than any backoff, in milliseconds. */
const PATIENCE_MS = 180_000;
/** Shorter between rounds: the next one shows what a round left behind. */
const ROUND_QUIET_MS = 1_000;
/** Attempts of a webhook during an outage of the endpoint itself, out of 24. */
const ATTEMPTS_IN_OUTAGE = 8;
/** A busy machine needs longer for a start, for which the attempts of a webhook must last. */
const MIN_RETRY_MS = 500 * patience;

/** Healthy time before an outage, in milliseconds. */
const HEALTHY_MS = 1_500;

/** Runs one fault in a fixture of its own. Rejects only if the signal is aborted. */
export async function runFault({ fault, database }: FaultRun, options: FaultRunOptions): Promise<Outcome> {
  const { seed, seconds, quietMs, signal } = options;
  const startedAt = Date.now();
  const say = (line: string) =>
    options.say(`${fault.name} on ${database}, ${Math.round((Date.now() - startedAt) / 1000)} s: ${line}`);
  const moments = createStream(seed, `moments of ${fault.name} on ${database}`);
  const retryIntervalMs = Math.max(MIN_RETRY_MS, (seconds * 1000) / ATTEMPTS_IN_OUTAGE);
  let fixture: Fixture | undefined;
  const figures = () => (fixture ? verify(fixture) : noFigures);
  await using opened = new AsyncDisposableStack();
  try {
    say('starting');
    fixture = await openFixture({ ...options, fault, database, moments, retryIntervalMs }, opened);
    const context: FaultContext = {
      ...options,
      fixture,
      moments,
      say,
      settle: () => settleRound(context),
      untilHealthy: () => pause(HEALTHY_MS, undefined, { signal }),
      endure: () => pause(seconds * 1000, undefined, { signal }),
    };
    await fault.run(context);
    await settle({ records: fixture, quietMs, patienceMs: PATIENCE_MS, say, signal });
    return { fault, database, figures: figures(), ...problemOf(fault, figures()) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof InjectionUnavailableError)
      return { fault, database, figures: noFigures, skipped: error.message };
    say(`FAILED: ${(error as Error).message}`);
    return { fault, database, figures: figures(), problem: (error as Error).message };
  }
}

async function settleRound({ fixture, say, signal }: Pick<FaultContext, 'fixture' | 'say' | 'signal'>): Promise<void> {
  const settled = await settle({ records: fixture, quietMs: ROUND_QUIET_MS, patienceMs: PATIENCE_MS, say, signal });
  const { accepted, announced, missing, duplicates, outOfOrder, repeated } = settled;
  say(
    `${accepted} accepted, ${announced} announced, ${missing} missing, ${duplicates} duplicates, ${outOfOrder} out of order, ${repeated} repeated`,
  );
  if (isFlawless(settled)) return;
  const flaws = findFlaws(fixture);
  throw new FaultError(
    `missing: ${flaws.missing.join(', ') || 'none'}; duplicates: ${flaws.duplicates.join(', ') || 'none'}`,
  );
}

function problemOf(fault: Fault, { accepted, undelivered, repeated }: Figures): Pick<Outcome, 'problem'> {
  if (accepted === 0) return { problem: 'no webhook was accepted, so nothing was verified' };
  if (undelivered > 0) return { problem: `${undelivered} webhooks were never answered 200` };
  if (repeated > 0 && !fault.mayRepeat) return { problem: `${repeated} announcements were repeated without a reason` };
  return {};
}
