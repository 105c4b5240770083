import { setTimeout as pause } from 'node:timers/promises';
import type { Stream } from '../../sandbox/simulator/random.ts';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import type { ConditionName } from '../../src/domain/health/condition.ts';
import type { DatabaseName } from './fixture/database.ts';
import type { Fixture } from './fixture/fixture.ts';
import type { Injection } from './injection/injection.ts';

/** Broken promise of Dockline. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
}

/** Context of a running fault. */
export interface FaultContext {
  /** Running and healthy. */
  readonly fixture: Fixture;
  /** Number of kills, stops or interferences. */
  readonly rounds: number;
  /** Duration of an outage. */
  readonly seconds: number;
  /** Decides on moments and targets; the seed decides the stream. */
  readonly moments: Stream;
  readonly say: (line: string) => void;
  /** Waits until everything accepted is announced or given up as lost; throws a `FaultError` unless the result is flawless. */
  readonly settle: () => Promise<void>;
  /** Resolves when an outage may begin: all has been well for a while. */
  readonly untilHealthy: () => Promise<void>;
  /** Resolves when an outage may end. */
  readonly endure: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Databases with which most faults are of interest. */
export const engines: readonly DatabaseName[] = ['sqlite', 'postgres'];

/** Failure under load. */
export interface Fault {
  readonly name: string;
  readonly description: string;
  /** Databases with which it is of interest. */
  readonly needs: readonly DatabaseName[];
  /** Reports whether an announcement may be repeated under the same id, since its answer can be lost on the way. */
  readonly mayRepeat: boolean;
  /** Runs several processes of each role. */
  readonly isSpread?: boolean;
  /** Spreads them over this many hosts. */
  readonly onHosts?: number;
  /** Conditions that people are told of in this outage, by a channel that wants no others: `--alerts` has each told once, and its end once. */
  readonly told?: readonly ConditionName[];
  /** Prepares the processes before they start; rejects with an `InjectionUnavailableError` if this machine cannot. */
  readonly inject?: (folder: string) => Promise<Injection>;
  run(context: FaultContext): Promise<void>;
}

/** Subjects of every kind, some eighty events. */
const LOAD = { orders: 5, receipts: 2, adjustments: 1, assemblies: 1, items: 1, stock: 2, holds: 1, concurrency: 13 };

/** Maximum time from the begin of a round's load to the action, in milliseconds. */
const ACT_WITHIN_MS = 2_500;

/** Action of a round. Returns the check that follows, if any, with the time in which the round settled after its load. */
type Act = (context: FaultContext, round: number) => Promise<((settledInMs: number) => void) | undefined>;

/** Creates the run of a fault that acts once a round, at a random moment under load. */
export function perRound(act: Act): Fault['run'] {
  return async (context) => {
    const { fixture, rounds, moments, signal, settle } = context;
    for (let round = 1; round <= rounds; round += 1) {
      const say = (line: string) => context.say(`round ${round} of ${rounds}: ${line}`);
      const playing = fixture.simulator.play(LOAD);
      const afterMs = moments.between(0, ACT_WITHIN_MS);
      await pause(afterMs, undefined, { signal });
      say(`acting ${afterMs} ms after the load began`);
      const check = await act({ ...context, say }, round);
      await playing;
      const playedAt = Date.now();
      await settle();
      check?.(Date.now() - playedAt);
    }
  };
}

/** Period of lasting load, in milliseconds. */
const LOAD_EVERY_MS = 3_000;

/** Starts load that lasts. The returned function stops it and resolves when every webhook is accepted or given up. */
export function startLoad(simulator: Pick<Simulator, 'play'>): () => Promise<void> {
  const stopping = new AbortController();
  const waves: Promise<void>[] = [];
  const begin = async () => {
    while (!stopping.signal.aborted) {
      waves.push(simulator.play(LOAD));
      // A fault that fails does not stop its load, which must not keep the process alive.
      await pause(LOAD_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const begun = begin();
  return async () => {
    stopping.abort();
    await begun;
    await Promise.all(waves);
  };
}
