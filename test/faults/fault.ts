import type { Stream } from '../../src/sandbox/simulator/random.ts';
import type { DatabaseName } from './database.ts';
import type { Tampering } from './tampering.ts';
import type { World } from './world.ts';

/** What a fault is run with. */
export interface FaultContext {
  /** Running and well. */
  readonly world: World;
  /** How often something is killed or told to stop. */
  readonly rounds: number;
  /** How long an outage lasts. */
  readonly seconds: number;
  /** Decides on moments and victims; the seed decides the stream. */
  readonly moments: Stream;
  readonly say: (line: string) => void;
  /** Waits until what was accepted is announced or given up as lost; throws a `FaultError` where something is not as promised. */
  readonly settle: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** One thing that goes wrong while webhooks come. */
export interface Fault {
  readonly name: string;
  /** What happens, in half a line. */
  readonly says: string;
  /** The databases with which it is of interest. */
  readonly needs: DatabaseName | 'both';
  /** Whether the same id may come to the receiver again, since an answer can be lost on its way back. */
  readonly mayRepeat: boolean;
  /** What has to be arranged before the processes start; rejects with the reason where this machine cannot. */
  readonly tamper?: (folder: string) => Promise<Tampering>;
  run(context: FaultContext): Promise<void>;
}

/** The databases that a fault is run with. */
export const databasesOf = ({ needs }: Pick<Fault, 'needs'>): readonly DatabaseName[] =>
  needs === 'both' ? ['sqlite', 'postgres'] : [needs];
