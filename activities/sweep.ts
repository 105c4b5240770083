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
import type { Limitation, ListedRow, ListQuery } from '../src/warehouse/gets.ts';

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
  /** Reports, in words for people, a listing that the warehouse refuses, and the consequence. */
  readonly onLimitation: (limitation: Limitation & { readonly tenant: string }) => void;
  /** Records that somebody asked for a sweep; idempotent. */
  readonly onAsked: (asked: AskedSweep & { readonly tenant: string; readonly startedAt: number }) => Promise<void>;
  readonly listingOf: (tenant: string) => Listing;
  readonly known: KnownSubjects;
  /** Adds differences to the inbox like deliveries; returns for each whether it is new. */
  readonly feed: (differences: readonly Difference[]) => Promise<readonly boolean[]>;
}

export interface SweepOpenInput extends Sweeping {
  /** Id to continue after; empty for the first. */
  readonly after: string;
  /** Minimum time since their last recording. */
  readonly quietMs: number;
}

/** They have to fit into one URL. */
const IDS_PER_CALL = 100;

/** Ingests the rows that differ from the store, or for a backfill those that are unknown, and leaves known ones alone. */
export async function sweepChanged(deps: SweepDeps, input: PageInput) {
  const { tenant, kind, startedAt, asked, backfill } = input;
  if (asked) await deps.onAsked({ tenant, startedAt, ...asked });
  const page = await deps.listingOf(tenant).list(input, cancellationSignal());
  const { rows, count, total, by, anchor } = page;
  const limitation = page.limitation && sayLimitation(deps, input, page.limitation);
  const ids = rows.map(({ id }) => id);
  const known = await deps.known.findAll(tenant, kind, ids);
  const differing = backfill
    ? discoveriesIn(input, backfill, rows, known)
    : await withoutWaiting(deps, differingOf(input, rows, known));
  const fed = backfill?.dryRun ? 0 : countNew(await deps.feed(differing));
  return {
    rows: rows.length,
    open: 0,
    differing: differing.length,
    missing: 0,
    fed,
    count,
    by,
    anchor,
    limitation,
    // What follows an id is counted without the rows before.
    total: total && (by.byNumber ? total : input.rowsBefore + total),
  };
}

/**
 * Compares subjects believed to be open. Those no longer listed are fetched as missing. `next` is the id to continue
 * after; null after the last page, and if the warehouse cannot list by ids.
 */
export async function sweepOpen(deps: SweepDeps, input: SweepOpenInput) {
  const { tenant, kind } = input;
  const open = await deps.known.findOpen({ ...input, limit: IDS_PER_CALL });
  const ids = open.map(({ id }) => id);
  const byIds = await deps.listingOf(tenant).listByIds(kind, ids, cancellationSignal());
  const none = { rows: 0, open: 0, differing: 0, missing: 0, fed: 0, next: null };
  if (byIds.rows === null) return { ...none, limitation: sayLimitation(deps, input, byIds.limitation) };
  const listed = new Set(byIds.rows.map(({ id }) => id));
  const differing = await withoutWaiting(deps, differingOf(input, byIds.rows, open));
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
  /** Announces what the rows show, as inferred. */
  readonly announce: boolean;
  readonly dryRun: boolean;
}

/** The id is the same for every backfill, so that each subject is added once. */
function discoveriesIn(
  { tenant, kind }: Sweeping,
  { announce }: BackfillOptions,
  rows: readonly ListedRow[],
  known: readonly KnownSubject[],
): readonly Difference[] {
  const ids = new Set(known.map(({ id }) => id));
  return rows.flatMap(({ id, snapshot }) => {
    if (ids.has(id)) return [];
    const event = { id: `backfill:${tenant}:${kind}:${id}`, time: Date.now(), tenant, subject: kind, subjectId: id };
    return {
      event: announce ? { ...event, name: RECONCILIATION } : { ...event, name: BACKFILL, listed: snapshot },
      evidence: { listed: snapshot },
    };
  });
}

interface Sweeping {
  readonly tenant: string;
  readonly kind: SweptKind;
  readonly startedAt: number;
}

export interface PageInput extends Sweeping, ListQuery {
  readonly rowsBefore: number;
  /** Set on the first page of a sweep that somebody asked for. */
  readonly asked?: AskedSweep | undefined;
  readonly backfill?: BackfillOptions | undefined;
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

function sayLimitation({ onLimitation }: SweepDeps, { tenant, kind }: Sweeping, message: string): string {
  onLimitation({ tenant, kind, message });
  return message;
}
