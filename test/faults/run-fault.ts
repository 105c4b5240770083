import { createStream } from '../../src/sandbox/simulator/random.ts';
import type { DatabaseName } from './database.ts';
import type { Fault, FaultContext } from './fault.ts';
import { FaultError, FaultUnavailableError } from './fault-error.ts';
import { type Figures, findFlaws, isFlawless, noFigures, reckon } from './reckoning.ts';
import { settle } from './settle.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** A fault with the database that it is run with. */
export interface FaultRun {
  readonly fault: Fault;
  readonly database: DatabaseName;
}

/** What faults are run with. */
export interface FaultRunOptions extends Pick<WorldOptions, 'temporalBinary' | 'postgresServer' | 'path' | 'seed'> {
  readonly rounds: number;
  readonly seconds: number;
  /** How long nothing may come before a fault is over, in milliseconds. */
  readonly quietMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What came of a fault. */
export interface Outcome extends FaultRun {
  readonly figures: Figures;
  /** What is not as promised, besides the figures. */
  readonly problem?: string;
  /** Why it could not be run. */
  readonly skipped?: string;
}

/** How long nothing may move before what is missing is taken as lost: longer than any pause between two attempts grows. */
const PATIENCE_MS = 180_000;
/** A round that is over is followed by others, which would show what it left behind. */
const ROUND_QUIET_MS = 1_000;
/** Four of the 24 attempts of a webhook pass in an outage of the webhook itself. */
const ATTEMPTS_IN_OUTAGE = 8;
const SHORTEST_RETRY_MS = 500;

/** Runs one fault in a world of its own. Rejects only where it is stopped. */
export async function runFault({ fault, database }: FaultRun, options: FaultRunOptions): Promise<Outcome> {
  const { seed, seconds, signal } = options;
  const startedAt = Date.now();
  const say = (line: string) => {
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    options.say(`${fault.name} on ${database}, ${seconds} s: ${line}`);
  };
  const moments = createStream(seed, `moments of ${fault.name} on ${database}`);
  const retryIntervalMs = Math.max(SHORTEST_RETRY_MS, (seconds * 1000) / ATTEMPTS_IN_OUTAGE);
  let world: World | undefined;
  const figures = () => (world ? reckon(world) : noFigures);
  await using opened = new AsyncDisposableStack();
  try {
    say('starting');
    world = await openWorld({ ...options, fault, database, moments, retryIntervalMs }, opened);
    const context: FaultContext = { ...options, world, moments, say, settle: () => settleRound(context) };
    await fault.run(context);
    await settle({ sides: world, quietMs: options.quietMs, patienceMs: PATIENCE_MS, say, signal });
    return { fault, database, figures: figures(), ...problemOf(fault, figures()) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FaultUnavailableError) return { fault, database, figures: figures(), skipped: error.message };
    say(`NOT as promised: ${(error as Error).message}`);
    return { fault, database, figures: figures(), problem: (error as Error).message };
  }
}

async function settleRound({ world, say, signal }: Pick<FaultContext, 'world' | 'say' | 'signal'>): Promise<void> {
  const settled = await settle({
    sides: world,
    quietMs: ROUND_QUIET_MS,
    patienceMs: PATIENCE_MS,
    say,
    signal,
  });
  const { accepted, announced, missing, duplicates, outOfOrder, repeated } = settled;
  say(
    `${accepted} accepted, ${announced} announced, ${missing} missing, ${duplicates} duplicates, ${outOfOrder} out of order, ${repeated} repeated`,
  );
  if (isFlawless(settled)) return;
  const { missing: lost, duplicates: doubled } = findFlaws(world);
  throw new FaultError(`missing: ${lost.join(', ') || 'none'}; duplicates: ${doubled.join(', ') || 'none'}`);
}

function problemOf(fault: Fault, { accepted, undelivered, repeated }: Figures): { readonly problem?: string } {
  if (accepted === 0) return { problem: 'nothing was accepted, so nothing was shown' };
  if (undelivered > 0) return { problem: `${undelivered} webhooks were never answered 200` };
  if (repeated > 0 && !fault.mayRepeat)
    return { problem: `${repeated} announcements came again, which nothing excuses` };
  return {};
}
