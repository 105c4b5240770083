import type { BackfillOptions, Tally } from '../activities/sweep.ts';
import type { SweptKind } from '../src/domain/catalogue/subject.ts';
import type { Limitation, ListedBy } from '../src/warehouse/listed.ts';

/** Scope and settings of a sweep. */
export interface ReconcileInput {
  readonly tenant: string;
  readonly kinds: readonly SweptKind[];
  /** Milliseconds since the epoch; if absent, for each kind the start of the schedule's last sweep that could list it. */
  readonly since?: number;
  /** Of the first sweep, in milliseconds. */
  readonly lookBackMs: number;
  /**
   * Overlap with the sweep before, in milliseconds. The warehouse compares local times, which are up to twelve hours behind UTC by
   * an unknown offset.
   */
  readonly overlapMs: number;
  /** Minimum age of a subject's last record before its absence from the listing counts, in milliseconds. */
  readonly quietMs: number;
  readonly pageSize: number;
  /** After which a run continues as new. */
  readonly pagesPerRun: number;
  /** Task queue of the tenant's retrievals, rate-limited. */
  readonly warehouseTaskQueue: string;
  /** Instead of comparing known ones. */
  readonly backfill?: BackfillOptions;
  /** Fails a kind at once if the warehouse refuses the credential: somebody waits for the result. */
  readonly isAwaited?: boolean;
  /** By a command; absent for a schedule's. */
  readonly askedBy?: string;
  /** Set when it continues as new. */
  readonly carried?: SweepState;
}

export interface ChangedPart {
  readonly kind: SweptKind;
  readonly of: 'changed';
  /** Start of the range of changes, in milliseconds since the epoch. */
  readonly since: number;
  readonly page: number;
  readonly rowsBefore: number;
  readonly by?: ListedBy;
  readonly anchor?: string;
  /** Number of times that all pages were listed before. Default: 0. */
  readonly repeats?: number;
  /** New events, of the pages before. */
  readonly found?: number;
  /** Once a page has named it. */
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

type Tallies = { readonly [K in SweptKind]?: Tally };

interface SweepFailure {
  readonly kind: SweptKind;
  readonly code: string;
  readonly message: string;
}

/** Plain JSON. */
export interface SweepState {
  readonly tenant: string;
  /** Milliseconds since the epoch, as `since`. */
  readonly startedAt: number;
  /** Start of the range of changes that are compared, of the kind with the longest. */
  readonly since: number;
  /** Start of the next sweep's range of each kind: that of this sweep, once it could list the kind. Absent if `since` was given. */
  readonly nextSince?: ByKind;
  /** Remaining parts; the first is in progress. */
  readonly parts: readonly Part[];
  readonly tallies: Tallies;
  readonly failures: readonly SweepFailure[];
  readonly backfill?: BackfillOptions;
  /** Absent for none. */
  readonly limitations?: readonly Limitation[];
}

/** Times in milliseconds since the epoch, by kind. */
type ByKind = { readonly [K in SweptKind]?: number };

export type Reconciled = Pick<
  SweepState,
  'tenant' | 'startedAt' | 'since' | 'nextSince' | 'tallies' | 'backfill' | 'limitations'
>;

/**
 * Returns the initial state of a sweep: for each kind its changes, then its open subjects; of a backfill only one of them. `earlier` are
 * the results of earlier sweeps, also of such that failed for some kinds: one that fails for ever holds up no window but its own.
 */
export function beginSweep(
  { tenant, kinds, since, lookBackMs, backfill }: ReconcileInput,
  startedAt: number,
  earlier: readonly Reconciled[],
): SweepState {
  const known = latest(earlier);
  const sinceOf = (kind: SweptKind) => since ?? known[kind] ?? startedAt - lookBackMs;
  return {
    tenant,
    startedAt,
    ...(since === undefined && {
      nextSince: { ...known, ...Object.fromEntries(kinds.map((kind) => [kind, sinceOf(kind)])) },
    }),
    since: Math.min(startedAt, ...kinds.map(sinceOf)),
    parts: kinds.flatMap((kind): Part[] => [
      { kind, of: 'changed', since: sinceOf(kind), page: 1, rowsBefore: 0 },
      ...(backfill ? [] : [{ kind, of: 'open', after: '' } as const]),
    ]),
    tallies: {},
    failures: [],
    ...(backfill && { backfill }),
  };
}

/** Returns the latest start of each kind. */
function latest(earlier: readonly Reconciled[]): ByKind {
  const times = earlier.flatMap(({ nextSince = {} }) => Object.entries(nextSince));
  return Object.fromEntries(times.toSorted(([, a], [, b]) => a - b));
}

/** Returns the starts of the next sweep's ranges as a sweep ends. */
export function nextSinceOf({ startedAt, nextSince, tallies, failures }: SweepState): ByKind | undefined {
  if (!nextSince) return undefined;
  const failed = new Set<string>(failures.map(({ kind }) => kind));
  const done = Object.keys(tallies).filter((kind) => !failed.has(kind));
  return { ...nextSince, ...Object.fromEntries(done.map((kind) => [kind, startedAt])) };
}

export function afterPart(
  state: SweepState,
  { limitation, ...tally }: Tally & { readonly limitation?: string },
  next: Part | null,
): SweepState {
  const [done, ...parts] = state.parts;
  if (!done) return state;
  return {
    ...state,
    ...(limitation && { limitations: withLimitation(state.limitations, { kind: done.kind, message: limitation }) }),
    parts: next ? [next, ...parts] : parts,
    tallies: { ...state.tallies, [done.kind]: addUp([state.tallies[done.kind] ?? noTally, tally]) },
  };
}

const withLimitation = (known: readonly Limitation[] = [], { kind, message }: Limitation): readonly Limitation[] =>
  known.some((one) => one.kind === kind && one.message === message) ? known : [...known, { kind, message }];

const noTally: Tally = { rows: 0, open: 0, differing: 0, missing: 0, fed: 0 };

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

/** The rest of its kind is skipped. */
export function afterFailure(state: SweepState, failure: SweepFailure): SweepState {
  return {
    ...state,
    parts: state.parts.filter(({ kind }) => kind !== failure.kind),
    failures: [...state.failures, failure],
  };
}

/** `order: page 3`. */
export function describePart(part: Part): string {
  if (part.of === 'changed') return `${part.kind}: page ${part.page}${part.repeats ? ', again' : ''}`;
  return `${part.kind}: open${part.after && ` after ${part.after}`}`;
}
