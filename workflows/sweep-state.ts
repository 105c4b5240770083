import type { Tally } from '../activities/listed-part.ts';
import type { Limitation, ListedBy, SweptKind } from '../activities/ports/sweep.ts';
import type { BackfillOptions } from '../activities/sweep.ts';

/** Scope and settings of a sweep. */
export interface ReconcileInput {
  readonly tenant: string;
  readonly kinds: readonly SweptKind[];
  /** Milliseconds since the epoch; if absent, the start of the schedule's last successful sweep. */
  readonly since?: number;
  /** Look-back of the first sweep, in milliseconds. */
  readonly lookBackMs: number;
  /**
   * Overlap with the sweep before, in milliseconds. The warehouse compares local times, which are up to twelve hours behind UTC by
   * an unknown offset.
   */
  readonly overlapMs: number;
  /** Minimum age of a subject's last record before its absence from the listing counts, in milliseconds. */
  readonly quietMs: number;
  /** Rows per page. */
  readonly pageSize: number;
  /** Number of pages after which a run continues as new. */
  readonly pagesPerRun: number;
  /** Task queue of the tenant's retrievals, rate-limited. */
  readonly warehouseTaskQueue: string;
  /** Makes unknown subjects known instead of comparing known ones. */
  readonly backfill?: BackfillOptions;
  /** Fails a kind at once if the warehouse refuses the credential: somebody waits for the result. */
  readonly isAwaited?: boolean;
  /** Name of who asked for it by a command; absent for a schedule's. */
  readonly askedBy?: string;
  /** Set when it continues as new. */
  readonly carried?: SweepState;
}

/** Page of changed subjects. */
export interface ChangedPart {
  readonly kind: SweptKind;
  readonly of: 'changed';
  readonly page: number;
  readonly rowsBefore: number;
  readonly by?: ListedBy;
  /** Number of rows on all pages, once a page has named it. */
  readonly total?: number;
}

/** Batch of subjects believed to be open, with the id before them. */
export interface OpenPart {
  readonly kind: SweptKind;
  readonly of: 'open';
  readonly after: string;
}

/** Next unit of work. */
export type Part = ChangedPart | OpenPart;

/** Tallies by kind. */
type Tallies = { readonly [K in SweptKind]?: Tally };

/** Failure to sweep a kind: code and message. */
interface SweepFailure {
  readonly kind: SweptKind;
  readonly code: string;
  readonly message: string;
}

/** State of a sweep. Plain JSON. */
export interface SweepState {
  readonly tenant: string;
  /** Milliseconds since the epoch, as `since`. */
  readonly startedAt: number;
  /** Start of the range of changes that are compared. */
  readonly since: number;
  /** Remaining parts; the first is in progress. */
  readonly parts: readonly Part[];
  readonly tallies: Tallies;
  readonly failures: readonly SweepFailure[];
  readonly backfill?: BackfillOptions;
  /** Absent for none. */
  readonly limitations?: readonly Limitation[];
}

/** Result of a sweep. */
export type Reconciled = Pick<SweepState, 'tenant' | 'startedAt' | 'since' | 'tallies' | 'backfill' | 'limitations'>;

/** Returns the initial state of a sweep: for each kind its changes, then its open subjects; of a backfill only one of them. */
export function beginSweep(
  { tenant, kinds, since, lookBackMs, backfill }: ReconcileInput,
  startedAt: number,
  last: Reconciled | undefined,
): SweepState {
  return {
    tenant,
    startedAt,
    since: since ?? last?.startedAt ?? startedAt - lookBackMs,
    parts: kinds.flatMap((kind): Part[] => [
      { kind, of: 'changed', page: 1, rowsBefore: 0 },
      ...(backfill ? [] : [{ kind, of: 'open', after: '' } as const]),
    ]),
    tallies: {},
    failures: [],
    ...(backfill && { backfill }),
  };
}

/** Returns the state after the current part, followed by `next` if there is one. */
export function afterPart(
  state: SweepState,
  { limitation, ...tally }: Tally & { readonly limitation?: string },
  next: Part | null,
): SweepState {
  const [done, ...parts] = state.parts;
  if (!done) return state;
  return {
    ...state,
    ...(limitation && { limitations: [...(state.limitations ?? []), { kind: done.kind, message: limitation }] }),
    parts: next ? [next, ...parts] : parts,
    tallies: { ...state.tallies, [done.kind]: addUp([state.tallies[done.kind] ?? noTally, tally]) },
  };
}

const noTally: Tally = { rows: 0, open: 0, differing: 0, missing: 0, fed: 0 };

/** Adds tallies up. */
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

/** Returns the state after a failure of the current part: the rest of its kind is skipped. */
export function afterFailure(state: SweepState, failure: SweepFailure): SweepState {
  return {
    ...state,
    parts: state.parts.filter(({ kind }) => kind !== failure.kind),
    failures: [...state.failures, failure],
  };
}

/** Describes a part: `order: page 3`. */
export function describePart(part: Part): string {
  if (part.of === 'changed') return `${part.kind}: page ${part.page}`;
  return `${part.kind}: open${part.after && ` after ${part.after}`}`;
}
