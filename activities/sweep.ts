import { createHash } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import { BACKFILL, RECONCILIATION, type WarehouseEvent } from '../src/domain/catalogue/event.ts';
import type { SweptKind } from '../src/domain/catalogue/subject.ts';
import { unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { observe } from '../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { stageOf } from '../src/domain/lifecycle/stage.ts';
import type { KnownSubject, KnownSubjects } from '../src/subjects/tables/subject-search.ts';
import type { Listing } from '../src/warehouse/client/listing.ts';
import type { ListedPage, ListedRow, ListQuery } from '../src/warehouse/gets.ts';

interface Difference {
  readonly event: WarehouseEvent;
  readonly evidence: object;
}

interface AskedSweep {
  readonly action: 'reconcile' | 'backfill';
  /** Name as given; not verified. */
  readonly by: string;
}

export interface SweepDeps {
  /** Records that somebody asked for a sweep; idempotent. */
  readonly onAsked: (asked: AskedSweep & { readonly tenant: string; readonly startedAt: number }) => Promise<void>;
  readonly listingOf: (tenant: string) => Listing;
  readonly known: KnownSubjects;
  /** Adds differences to the inbox like deliveries; returns for each whether it is new. */
  readonly feed: (differences: readonly Difference[]) => Promise<readonly boolean[]>;
}

interface Sweeping {
  readonly tenant: string;
  readonly kind: SweptKind;
  readonly startedAt: number;
}

export interface SweepChangedInput extends Sweeping, ListQuery {
  /** Set on the first page of a sweep that somebody asked for. */
  readonly asked?: AskedSweep | undefined;
  readonly backfill?: BackfillOptions | undefined;
}

export interface SweepOpenInput extends Sweeping {
  /** Id to continue after; empty for the first. */
  readonly after: string;
  /** Minimum time since their last recording. */
  readonly quietMs: number;
}

export interface Tally {
  readonly rows: number;
  /** Subjects requested because they are believed to be open. */
  readonly open: number;
  readonly differing: number;
  readonly missing: number;
  /** New events in the inbox; an earlier sweep added the others. */
  readonly fed: number;
}

/** `next` is the id to continue after; null after the last page. */
export type Swept = Tally & Pick<ListedPage, 'next'>;

/** They have to fit into one URL. */
const IDS_PER_CALL = 100;

/** Ingests the rows that differ from the store, or for a backfill those that are unknown, and leaves known ones alone. */
export async function sweepChanged(deps: SweepDeps, input: SweepChangedInput): Promise<Swept> {
  const { tenant, kind, startedAt, asked, backfill } = input;
  if (asked) await deps.onAsked({ tenant, startedAt, ...asked });
  const { rows, next } = await deps.listingOf(tenant).list(input, cancellationSignal());
  const ids = rows.map(({ id }) => id);
  const known = await deps.known.findAll(tenant, kind, ids);
  const differing = backfill
    ? discoveriesIn(input, rows, known)
    : await withoutWaiting(deps, differingOf(input, rows, known));
  const fed = backfill?.dryRun ? 0 : countNew(await deps.feed(differing));
  return { rows: rows.length, open: 0, differing: differing.length, missing: 0, fed, next };
}

/** Compares subjects believed to be open. Those no longer listed are fetched as missing. */
export async function sweepOpen(deps: SweepDeps, input: SweepOpenInput): Promise<Swept> {
  const { tenant, kind } = input;
  const open = await deps.known.findOpen({ ...input, limit: IDS_PER_CALL });
  const ids = open.map(({ id }) => id);
  const rows = await deps.listingOf(tenant).listByIds(kind, ids, cancellationSignal());
  const listed = new Set(rows.map(({ id }) => id));
  const differing = await withoutWaiting(deps, differingOf(input, rows, open));
  const lacking = open.filter(({ id }) => !listed.has(id)).map((known) => difference(input, known, null));
  const missing = await withoutWaiting(deps, lacking);
  const fed = await deps.feed([...differing, ...missing]);
  return {
    rows: 0,
    open: ids.length,
    missing: missing.length,
    fed: countNew(fed),
    // The others were counted when they were listed.
    differing: countNew(fed.slice(0, differing.length)),
    next: open.length < IDS_PER_CALL ? null : (ids.at(-1) ?? null),
  };
}

const countNew = (fed: readonly boolean[]): number => fed.filter(Boolean).length;

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

/** Leaves out subjects with waiting events, whose GET shows whatever differs. */
async function withoutWaiting(deps: SweepDeps, differing: readonly Difference[]): Promise<readonly Difference[]> {
  const [first] = differing;
  if (!first) return [];
  const { tenant, subject } = first.event;
  const ids = differing.map(({ event }) => event.subjectId);
  const waiting = await deps.known.findWaiting(tenant, subject as SweptKind, ids);
  return differing.filter(({ event }) => !waiting.has(event.subjectId));
}

/** The id is derived from the difference, so that the next sweep does not add it again. */
function difference(
  { tenant, kind, startedAt }: Sweeping,
  { id, lifecycle }: KnownSubject,
  listed: Snapshot | null,
): Difference {
  const evidence = { listed, known: { revision: lifecycle.revision, stage: stageOf(lifecycle) } };
  const key = [tenant, kind, id, evidence, dayOf(startedAt)];
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  return {
    event: {
      id: `reconciliation:${hash}`,
      name: RECONCILIATION,
      time: Date.now(),
      tenant,
      subject: kind,
      subjectId: id,
      ...(listed === null && { missing: true }),
    },
    evidence,
  };
}

/**
 * A listing can be ahead of the GET that follows, which then finds nothing new: a difference that persists is fetched
 * again on another day.
 */
const dayOf = (time: number): number => Math.floor(time / 86_400_000);

export interface BackfillOptions {
  /** Open subjects, whenever they changed. */
  readonly open: boolean;
  readonly dryRun: boolean;
}

/** The id is the same for every backfill, so that each subject is added once. */
function discoveriesIn(
  { tenant, kind }: Sweeping,
  rows: readonly ListedRow[],
  known: readonly KnownSubject[],
): readonly Difference[] {
  const ids = new Set(known.map(({ id }) => id));
  return rows.flatMap(({ id, snapshot: listed }) => {
    if (ids.has(id)) return [];
    const of = { tenant, subject: kind, subjectId: id };
    const event = { id: `backfill:${tenant}:${kind}:${id}`, name: BACKFILL, time: Date.now(), ...of, listed };
    return [{ event, evidence: { listed } }];
  });
}
