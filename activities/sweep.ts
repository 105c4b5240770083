import { createHash } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import { RECONCILIATION } from '../src/domain/catalogue/planned-event.ts';
import { type Lifecycle, unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { observe } from '../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { stageOf } from '../src/domain/lifecycle/stage.ts';
import type { ChangedQuery, Difference, KnownSubject, ListedRow, SweepDeps, SweptKind } from './ports/sweep.ts';

/** Tenant, kind and time of a sweep. */
interface Sweeping {
  readonly tenant: string;
  readonly kind: SweptKind;
  /** Start of the sweep, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Request to compare one page of the subjects that changed. */
export interface SweepChangedInput extends Sweeping, ChangedQuery {
  /** Number of rows on the pages before it. */
  readonly rowsBefore: number;
}

/** Request to compare subjects that are believed to be open. */
export interface SweepOpenInput extends Sweeping {
  /** Id after which they begin; empty for the first. */
  readonly after: string;
  /** Minimum time since their last recording, in milliseconds. */
  readonly quietMs: number;
}

/** Result of a part of a sweep. */
export interface Tally {
  /** Subjects listed because they changed. */
  readonly rows: number;
  /** Subjects requested because they are believed to be open. */
  readonly open: number;
  /** Subjects of both that differ from the store; each counts once. */
  readonly differing: number;
  /** Subjects believed to be open that the warehouse no longer lists. */
  readonly missing: number;
  /** Events that were new in the inbox, of the last two; the others were added by an earlier sweep. */
  readonly fed: number;
}

/** Maximum number of ids per call: they have to fit into its URL. */
const IDS_PER_CALL = 100;

/** Compares one page of the subjects that changed with the store. `more` reports whether there may be another page. */
export async function sweepChanged(
  deps: SweepDeps,
  input: SweepChangedInput,
): Promise<Tally & { readonly more: boolean }> {
  const listing = deps.listingOf(input.tenant);
  const { rows, total, pageSize } = await listing.listChanged(input, cancellationSignal());
  const ids = rows.map(({ id }) => id);
  const differing = differingOf(input, rows, await deps.known.findAll(input.tenant, input.kind, ids));
  // A page may be shorter than was asked for, if the warehouse keeps to a size of its own.
  const more = total === undefined ? rows.length >= pageSize : input.rowsBefore + rows.length < total;
  const fed = countNew(await deps.feed(differing));
  return {
    ...{ rows: rows.length, open: 0, differing: differing.length, missing: 0, fed },
    more: rows.length > 0 && more,
  };
}

/**
 * Compares subjects that are believed to be open, whenever they changed. Those that the warehouse no longer lists are fetched as
 * missing. `next` is the id to continue after; null after the last page.
 */
export async function sweepOpen(
  deps: SweepDeps,
  input: SweepOpenInput,
): Promise<Tally & { readonly next: string | null }> {
  const { tenant, kind } = input;
  const open = await deps.known.findOpen({ ...input, limit: IDS_PER_CALL });
  const ids = open.map(({ id }) => id);
  const rows = ids.length > 0 ? await deps.listingOf(tenant).listByIds(kind, ids, cancellationSignal()) : [];
  const listed = new Set(rows.map(({ id }) => id));
  const differing = differingOf(input, rows, open);
  const missing = open.filter(({ id }) => !listed.has(id)).map((known) => difference(input, known, null));
  const fed = await deps.feed([...differing, ...missing]);
  return {
    ...{ rows: 0, open: ids.length, missing: missing.length, fed: countNew(fed) },
    // The others were counted when they were listed.
    differing: countNew(fed.slice(0, differing.length)),
    next: open.length < IDS_PER_CALL ? null : (ids.at(-1) ?? null),
  };
}

const countNew = (fed: readonly boolean[]): number => fed.filter(Boolean).length;

/** Returns the rows that differ from the store: a GET of them would change something. */
function differingOf(
  sweeping: Sweeping,
  rows: readonly ListedRow[],
  subjects: readonly KnownSubject[],
): readonly Difference[] {
  const lifecycles = new Map(subjects.map(({ id, lifecycle }) => [id, lifecycle]));
  return rows.flatMap(({ id, snapshot }) => {
    const lifecycle = lifecycles.get(id) ?? unknownLifecycle;
    const differs = observe(lifecycle, [], snapshot).changes.length > 0;
    return differs ? [difference(sweeping, { id, lifecycle }, snapshot)] : [];
  });
}

/** Creates the event of a difference. Its id is derived from the difference, so that the next sweep does not add it again. */
function difference(
  { tenant, kind, startedAt }: Sweeping,
  { id, lifecycle }: { readonly id: string; readonly lifecycle: Lifecycle },
  listed: Snapshot | null,
): Difference {
  const evidence = { listed, known: { revision: lifecycle.revision, stage: stageOf(lifecycle) } };
  const key = [tenant, kind, id, evidence, dayOf(startedAt)];
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  return {
    event: {
      ...{ id: `reconciliation:${hash}`, name: RECONCILIATION, time: Date.now(), tenant, subject: kind, subjectId: id },
      ...(listed === null && { missing: true }),
    },
    evidence,
  };
}

/**
 * A listing can be ahead of the GET that a difference leads to, which then finds nothing new. So a difference that persists is
 * fetched again on another day.
 */
const dayOf = (time: number): number => Math.floor(time / 86_400_000);
