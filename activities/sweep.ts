import { createHash } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import { BACKFILL, RECONCILIATION } from '../src/domain/catalogue/event.ts';
import { unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { observe } from '../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { stageOf } from '../src/domain/lifecycle/stage.ts';
import type { KnownSubject } from '../src/subjects/tables/subject-search.ts';
import type { ListedRow } from '../src/warehouse/listed.ts';
import { type ListedPart, listPage, type PageInput, type Sweeping, sayLimitation, type Tally } from './listed-part.ts';
import type { Difference, SweepDeps } from './ports/sweep.ts';

/** Request to compare subjects that are believed to be open. */
export interface SweepOpenInput extends Sweeping {
  /** Id after which they begin; empty for the first. */
  readonly after: string;
  /** Minimum time since their last recording, in milliseconds. */
  readonly quietMs: number;
}

/** Result of comparing subjects that are believed to be open. */
type SweptOpen = Tally & { readonly next: string | null; readonly limitation?: string };

/** Maximum number of ids per call: they have to fit into its URL. */
const IDS_PER_CALL = 100;

/** Compares one page of the subjects that changed with the store. */
export async function sweepChanged(deps: SweepDeps, input: PageInput): Promise<ListedPart> {
  const { rows, ...page } = await listPage(deps, input);
  const ids = rows.map(({ id }) => id);
  const differing = differingOf(input, rows, await deps.known.findAll(input.tenant, input.kind, ids));
  const fed = countNew(await deps.feed(differing));
  return { ...page, rows: rows.length, open: 0, differing: differing.length, missing: 0, fed };
}

/**
 * Compares subjects that are believed to be open, whenever they changed. Those that the warehouse no longer lists are fetched as
 * missing. `next` is the id to continue after; null after the last page, and if the warehouse cannot list by ids.
 */
export async function sweepOpen(deps: SweepDeps, input: SweepOpenInput): Promise<SweptOpen> {
  const { tenant, kind } = input;
  const open = await deps.known.findOpen({ ...input, limit: IDS_PER_CALL });
  const ids = open.map(({ id }) => id);
  const byIds = await deps.listingOf(tenant).listByIds(kind, ids, cancellationSignal());
  const none = { rows: 0, open: 0, differing: 0, missing: 0, fed: 0, next: null };
  if (byIds.rows === null) return { ...none, limitation: sayLimitation(deps, input, byIds.limitation) };
  const listed = new Set(byIds.rows.map(({ id }) => id));
  const differing = differingOf(input, byIds.rows, open);
  const missing = open.filter(({ id }) => !listed.has(id)).map((known) => difference(input, known, null));
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
 * A listing can be ahead of the GET that a difference leads to, which then finds nothing new. So a difference that persists is
 * fetched again on another day.
 */
const dayOf = (time: number): number => Math.floor(time / 86_400_000);

/** Treatment of the subjects that a backfill finds. */
export interface BackfillOptions {
  /** Covers all open subjects, whenever they changed. */
  readonly open: boolean;
  /** Announces what they show as inferred. */
  readonly announce: boolean;
  /** Only counts them. */
  readonly dryRun: boolean;
}

/** Adds the unknown subjects of one page of a listing to the inbox; known ones are left alone. */
export async function backfill(deps: SweepDeps, input: PageInput & BackfillOptions): Promise<ListedPart> {
  const { tenant, kind } = input;
  const { rows, ...page } = await listPage(deps, input);
  const ids = rows.map(({ id }) => id);
  const known = new Set((await deps.known.findAll(tenant, kind, ids)).map(({ id }) => id));
  const unknown = rows.filter(({ id }) => !known.has(id));
  const fed = input.dryRun ? 0 : countNew(await deps.feed(unknown.map((row) => discovery(input, row))));
  return { ...page, rows: rows.length, open: 0, differing: unknown.length, missing: 0, fed };
}

/** Creates the event of an unknown subject. Its id is the same for every backfill, so that each subject is added once. */
function discovery({ tenant, kind, announce }: PageInput & BackfillOptions, { id, snapshot }: ListedRow): Difference {
  const event = { id: `backfill:${tenant}:${kind}:${id}`, time: Date.now(), tenant, subject: kind, subjectId: id };
  return {
    event: announce ? { ...event, name: RECONCILIATION } : { ...event, name: BACKFILL, listed: snapshot },
    evidence: { listed: snapshot },
  };
}
