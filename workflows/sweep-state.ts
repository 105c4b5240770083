import type { Tally } from '../activities/sweep.ts';
import type { SweptKind } from '../activities/sweep-ports.ts';

/** What a sweep covers, and the durations and limits that it goes by. */
export interface ReconcileInput {
  readonly tenant: string;
  readonly kinds: readonly SweptKind[];
  /** Milliseconds since the epoch; absent for the beginning of the schedule's last sweep that succeeded. */
  readonly since?: number;
  /** How far to look back where no sweep has succeeded yet, in milliseconds. */
  readonly lookBackMs: number;
  /**
   * How much more than that is asked for, in milliseconds. The warehouse compares in its local time, which is up to twelve
   * hours behind UTC, and nothing tells how many.
   */
  readonly overlapMs: number;
  /** How long nothing must have been recorded of what is looked for because it is not listed, in milliseconds. */
  readonly quietMs: number;
  /** Rows a page. */
  readonly pageSize: number;
  /** How many pages one run takes before it continues as new. */
  readonly pagesPerRun: number;
  /** Where the warehouse's GETs are taken up, at the rate that it allows. */
  readonly warehouseTaskQueue: string;
  /** There only where it continues as new. */
  readonly carried?: SweepState;
}

/** What is next: a page of what changed, or some of what is believed to be open. */
export type Part =
  | { readonly kind: SweptKind; readonly of: 'changed'; readonly page: number; readonly rowsBefore: number }
  | { readonly kind: SweptKind; readonly of: 'open'; readonly after: string };

/** What the sweep of each kind came to. */
export type Tallies = { readonly [K in SweptKind]?: Tally };

/** A kind that could not be swept, by the code and the message of its failure. */
export interface SweepFailure {
  readonly kind: SweptKind;
  readonly code: string;
  readonly message: string;
}

/** How far a sweep is. Plain JSON. */
export interface SweepState {
  readonly tenant: string;
  /** Milliseconds since the epoch, as `since`. */
  readonly startedAt: number;
  /** Everything that changed since then is compared. */
  readonly since: number;
  /** What is left, the first of it under way. */
  readonly parts: readonly Part[];
  readonly tallies: Tallies;
  readonly failures: readonly SweepFailure[];
}

/** What a sweep came to. */
export type Reconciled = Pick<SweepState, 'tenant' | 'startedAt' | 'since' | 'tallies'>;

/** The state that a sweep starts with: of each kind what changed, then what is open. */
export function beginSweep(
  { tenant, kinds, since, lookBackMs }: ReconcileInput,
  startedAt: number,
  last: Reconciled | undefined,
): SweepState {
  return {
    tenant,
    startedAt,
    since: since ?? last?.startedAt ?? startedAt - lookBackMs,
    parts: kinds.flatMap((kind): Part[] => [
      { kind, of: 'changed', page: 1, rowsBefore: 0 },
      { kind, of: 'open', after: '' },
    ]),
    tallies: {},
    failures: [],
  };
}

/** The state after the part under way, with the part that follows from it, if any. */
export function afterPart(state: SweepState, tally: Tally, next: Part | null): SweepState {
  const [done, ...parts] = state.parts;
  if (!done) return state;
  return {
    ...state,
    parts: next ? [next, ...parts] : parts,
    tallies: { ...state.tallies, [done.kind]: addUp([state.tallies[done.kind] ?? noTally, tally]) },
  };
}

const noTally: Tally = { rows: 0, open: 0, differing: 0, missing: 0, fed: 0 };

/** What several parts of a sweep came to together. */
export function addUp(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { rows, open, differing, missing, fed }) => ({
      rows: sum.rows + rows,
      open: sum.open + open,
      differing: sum.differing + differing,
      missing: sum.missing + missing,
      fed: sum.fed + fed,
    }),
    noTally,
  );
}

/** The state after a failure of the part under way: the rest of its kind is left out. */
export function afterFailure(state: SweepState, failure: SweepFailure): SweepState {
  return {
    ...state,
    parts: state.parts.filter(({ kind }) => kind !== failure.kind),
    failures: [...state.failures, failure],
  };
}

/** The part under way in words: `order: page 3`. */
export function describePart(part: Part): string {
  if (part.of === 'changed') return `${part.kind}: page ${part.page}`;
  return `${part.kind}: what is open${part.after && ` after ${part.after}`}`;
}
