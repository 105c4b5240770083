import type { BackfillOptions, Tally } from '../activities/sweep.ts';
import { words } from '../src/base/text.ts';
import type { SweptKind } from '../src/domain/catalogue/subject.ts';
import type { Limitation, ListedBy } from '../src/warehouse/gets.ts';

export interface ReconcileInput {
  readonly tenant: string;
  readonly kinds: readonly SweptKind[];
  /** Default: for each kind the start of the last sweep that could list it. */
  readonly since?: number;
  readonly lookBackMs: number;
  /** Overlap with the sweep before: the warehouse compares local times, up to twelve hours behind UTC by an unknown offset. */
  readonly overlapMs: number;
  /** Minimum age of the last record before absence from the listing counts. */
  readonly quietMs: number;
  readonly pageSize: number;
  readonly pagesPerRun: number;
  readonly warehouseTaskQueue: string;
  /** Adds unknown subjects instead of comparing known ones. */
  readonly backfill?: BackfillOptions | undefined;
  /** Somebody waits for the result: a kind fails at once if the warehouse refuses the credential. */
  readonly isAwaited?: boolean;
  /** Who asked by a command; absent for a schedule's. */
  readonly askedBy?: string;
  readonly carried?: SweepState;
}

export interface ChangedPart {
  readonly kind: SweptKind;
  readonly of: 'changed';
  readonly since: number;
  readonly page: number;
  readonly rowsBefore: number;
  readonly by?: ListedBy | undefined;
  readonly anchor?: string | undefined;
  readonly total?: number | undefined;
}

export interface OpenPart {
  readonly kind: SweptKind;
  readonly of: 'open';
  readonly after: string;
}

export type Part = ChangedPart | OpenPart;

interface SweepFailure {
  readonly kind: SweptKind;
  readonly code: string;
  readonly message: string;
}

/** Plain JSON, for continue-as-new. */
export interface SweepState {
  readonly tenant: string;
  readonly startedAt: number;
  /** Start of the longest range of any kind. */
  readonly since: number;
  /** Starts of the next sweep's ranges: the start of this sweep, once it could list the kind. Absent if `since` was given. */
  readonly nextSince?: ByKind | undefined;
  readonly parts: readonly Part[];
  readonly tallies: { readonly [K in SweptKind]?: Tally };
  readonly failures: readonly SweepFailure[];
  readonly backfill?: BackfillOptions | undefined;
  readonly limitations?: readonly Limitation[] | undefined;
}

type ByKind = { readonly [K in SweptKind]?: number };

export type Reconciled = Omit<SweepState, 'parts' | 'failures'>;

/**
 * First each kind's changes, then its open subjects; a backfill has one of them. `earlier` includes sweeps that failed
 * for some kinds, so that one that fails for ever holds up only itself.
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
    nextSince:
      since === undefined ? { ...known, ...Object.fromEntries(kinds.map((kind) => [kind, sinceOf(kind)])) } : undefined,
    since: Math.min(startedAt, ...kinds.map(sinceOf)),
    parts: kinds.flatMap((kind): Part[] => [
      { kind, of: 'changed', since: sinceOf(kind), page: 1, rowsBefore: 0 },
      ...(backfill ? [] : [{ kind, of: 'open', after: '' } as const]),
    ]),
    tallies: {},
    failures: [],
    backfill,
  };
}

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
  swept: Tally & { readonly limitation?: string | undefined },
  next: Part | null,
): SweepState {
  const [done, ...parts] = state.parts;
  if (!done) return state;
  const known = state.tallies[done.kind];
  const { limitation } = swept;
  return {
    ...state,
    ...(limitation && { limitations: withLimitation(state.limitations, { kind: done.kind, message: limitation }) }),
    parts: next ? [next, ...parts] : parts,
    tallies: { ...state.tallies, [done.kind]: addUp([...(known ? [known] : []), swept]) },
  };
}

const withLimitation = (known: readonly Limitation[] = [], { kind, message }: Limitation): readonly Limitation[] =>
  known.some((one) => one.kind === kind && one.message === message) ? known : [...known, { kind, message }];

export function addUp(tallies: readonly Tally[]): Tally {
  const sumOf = (name: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[name], 0);
  return {
    rows: sumOf('rows'),
    open: sumOf('open'),
    differing: sumOf('differing'),
    missing: sumOf('missing'),
    fed: sumOf('fed'),
  };
}

export function afterFailure(state: SweepState, failure: SweepFailure): SweepState {
  return {
    ...state,
    parts: state.parts.filter(({ kind }) => kind !== failure.kind),
    failures: [...state.failures, failure],
  };
}

/** `order: page 3`. */
export function describePart(part: Part): string {
  if (part.of === 'changed') return `${words(part.kind)}: page ${part.page}`;
  return `${words(part.kind)}: open${part.after && ` after ${part.after}`}`;
}
