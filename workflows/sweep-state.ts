import type { BackfillOptions, Swept, Tally } from '../activities/sweep.ts';
import { words } from '../src/base/text.ts';
import type { SweptKind } from '../src/domain/catalogue/subject.ts';

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
  /** Who asked by a command; absent for a schedule's. */
  readonly askedBy?: string;
  readonly carried?: SweepState;
}

export interface Part {
  readonly kind: SweptKind;
  readonly of: 'changed' | 'open';
  /** For what changed. */
  readonly since: number;
  /** Id before the next page; empty for the first. */
  readonly after: string;
}

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
}

type ByKind = { readonly [K in SweptKind]?: number };

export type Reconciled = Omit<SweepState, 'parts' | 'failures'>;

/**
 * First each kind's changes, then its open subjects; a backfill has one of them. `last` may have failed for some kinds,
 * so that one that fails for ever holds up only itself.
 */
export function beginSweep(
  { tenant, kinds, since, lookBackMs, backfill }: ReconcileInput,
  startedAt: number,
  last: Reconciled | undefined,
): SweepState {
  const begun = kinds.map((kind) => [kind, since ?? last?.nextSince?.[kind] ?? startedAt - lookBackMs] as const);
  return {
    tenant,
    startedAt,
    nextSince: since === undefined ? Object.fromEntries(begun) : undefined,
    since: Math.min(startedAt, ...begun.map(([, from]) => from)),
    parts: begun.flatMap(([kind, from]): Part[] => {
      const changed = { kind, of: 'changed', since: from, after: '' } as const;
      return backfill ? [changed] : [changed, { ...changed, of: 'open' }];
    }),
    tallies: {},
    failures: [],
    backfill,
  };
}

/** Returns the starts of the next sweep's ranges as a sweep ends. */
export function nextSinceOf({ startedAt, nextSince, failures }: SweepState): ByKind | undefined {
  const hasFailed = (kind: string) => failures.some((failure) => failure.kind === kind);
  const ends = Object.entries(nextSince ?? {}).map(([kind, from]) => [kind, hasFailed(kind) ? from : startedAt]);
  return nextSince && Object.fromEntries(ends);
}

export function afterPart(state: SweepState, { next, ...swept }: Swept): SweepState {
  const [done, ...parts] = state.parts;
  if (!done) return state;
  const known = state.tallies[done.kind];
  return {
    ...state,
    parts: next ? [{ ...done, after: next }, ...parts] : parts,
    tallies: { ...state.tallies, [done.kind]: addUp([...(known ? [known] : []), swept]) },
  };
}

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

/** `order: changed after 31004581`. */
export const describePart = ({ kind, of, after }: Part): string =>
  `${words(kind)}: ${of}${after ? ` after ${after}` : ''}`;
