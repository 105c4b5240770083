import { BACKFILL, RECONCILIATION } from '../src/domain/catalogue/planned-event.ts';
import { type ListedPart, listPage, type PageInput } from './listed-part.ts';
import type { Difference, ListedRow, SweepDeps } from './ports/sweep.ts';

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
  const { tenant, kind, announce, dryRun } = input;
  const { rows, ...page } = await listPage(deps, input);
  const ids = rows.map(({ id }) => id);
  const known = new Set((await deps.known.findAll(tenant, kind, ids)).map(({ id }) => id));
  const unknown = rows.filter(({ id }) => !known.has(id));
  const fed = dryRun ? [] : await deps.feed(unknown.map((row) => discovery({ tenant, kind, announce }, row)));
  return {
    ...{ ...page, rows: rows.length, open: 0, differing: unknown.length, missing: 0 },
    fed: fed.filter(Boolean).length,
  };
}

/** Creates the event of an unknown subject. Its id is the same for every backfill, so that each subject is added once. */
function discovery(
  { tenant, kind, announce }: Pick<PageInput & BackfillOptions, 'tenant' | 'kind' | 'announce'>,
  { id, snapshot }: ListedRow,
): Difference {
  const event = { id: `backfill:${tenant}:${kind}:${id}`, time: Date.now(), tenant, subject: kind, subjectId: id };
  return {
    event: announce ? { ...event, name: RECONCILIATION } : { ...event, name: BACKFILL, listed: snapshot },
    evidence: { listed: snapshot },
  };
}
