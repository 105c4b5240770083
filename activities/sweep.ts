import { createHash } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import { RECONCILIATION } from '../src/domain/catalogue/planned-event.ts';
import { type Lifecycle, unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { observe } from '../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { stageOf } from '../src/domain/lifecycle/stage.ts';
import type { ChangedQuery, Difference, KnownSubject, ListedRow, SweepDeps, SweptKind } from './sweep-ports.ts';

/** What both parts of a sweep go by. */
interface Sweeping {
  readonly tenant: string;
  readonly kind: SweptKind;
  /** When the sweep began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** One page of what changed. */
export interface SweepChangedInput extends Sweeping, ChangedQuery {
  /** How many rows the pages before it had. */
  readonly rowsBefore: number;
}

/** Some of what is believed to be open. */
export interface SweepOpenInput extends Sweeping {
  /** The id after which they begin; empty for the first. */
  readonly after: string;
  /** How long nothing must have been recorded of them, in milliseconds. */
  readonly quietMs: number;
}

/** What a part of a sweep came to. */
export interface Tally {
  /** What was listed because it changed. */
  readonly rows: number;
  /** What was asked for because it is believed to be open. */
  readonly open: number;
  /** Of both, what is not as it is known; what is in both counts once. */
  readonly differing: number;
  /** What is believed to be open and not there any more. */
  readonly missing: number;
  /** Of the last two, what was taken in now; the rest had been before. */
  readonly fed: number;
}

/** How many ids one call asks for: they all have to fit into its address. */
const IDS_PER_CALL = 100;

/** Compares one page of what changed with what is known. `more` says whether there may be another page. */
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
 * Asks for subjects that are believed to be open, whenever they changed: what the warehouse does not list is looked for, what
 * it lists is compared. `next` is where to go on; null after the last.
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
    // What is not new was counted when it was listed.
    differing: countNew(fed.slice(0, differing.length)),
    next: open.length < IDS_PER_CALL ? null : (ids.at(-1) ?? null),
  };
}

const countNew = (fed: readonly boolean[]): number => fed.filter(Boolean).length;

/** The rows that show anything that is not known: a GET of them would change something. */
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

/** The id is that of the difference, so that the next sweep does not take it in again. */
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
 * A listing can be ahead of the GET that a difference leads to, which then finds nothing new. So what still differs on another
 * day is fetched again.
 */
const dayOf = (time: number): number => Math.floor(time / 86_400_000);
