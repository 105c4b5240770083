import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conditionsOf } from '../../admin/filter.ts';
import { NO_PLACE } from '../../admin/queries.ts';
import type { Sources } from '../../admin/views/view.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { Problem } from '../../http/problem.ts';
import type { Database } from '../../store/schema.ts';
import { isDueAndOpen } from '../tables/deadlines.ts';
import { isSomebody } from '../tables/taking.ts';
import { meansOpen, type Sort, type SubjectQuery, subjectFilters } from './filters.ts';
import { type SubjectRow, selectSubjects, toSubject } from './subject/row.ts';

/** Time by which each sort orders; none for the ids. */
const timeOf = { oldest: 'stage_since', newest: 'stage_since', due: 'due_at', created: 'created_at' } as const;

/** Sorts that begin with the latest time. */
const isDescending = (sort: Sort): boolean => sort === 'newest' || sort === 'created';

/** Subject after which a page begins; its time is needed where they are sorted by time. */
export type Place = SubjectRef & { readonly at?: Date | undefined };

/** Returns the sort that people mean who ask for none. */
export function usualSort({ due, takenBy, createdSince, confirmedSince, olderThan }: SubjectQuery): Sort {
  if (due !== undefined) return 'due';
  if (confirmedSince !== undefined) return 'newest';
  if (olderThan !== undefined || isSomebody(takenBy)) return 'oldest';
  return createdSince === undefined ? 'id' : 'created';
}

/** Completes a query with what people mean: an index has these subjects in this order. @throws Problem 400 if none has */
export function completed(given: SubjectQuery): SubjectQuery & { readonly sort: Sort } {
  const { due, kind, attention, group, olderThan, confirmedSince, sort = usualSort(given) } = given;
  const isByAge = (olderThan ?? confirmedSince) !== undefined;
  const query = {
    ...given,
    ...(isByAge && (attention ?? group) === undefined && { kind: kind ?? 'order' }),
    ...(olderThan !== undefined && meansOpen(given) && { open: 'true' as const }),
    sort,
  };
  if (due && sort !== 'due') throw new Problem(400, 'due goes with sort=due');
  if ((sort === 'oldest' || sort === 'newest') && !hasTimeIndex(query)) throw new Problem(400, `sort ${NO_INDEX}`);
  return query;
}

/** Reports whether an index has the subjects that match a filter in the order of their time. */
const hasTimeIndex = ({ kind, stage, open, attention, group, takenBy, confirmedSince }: SubjectQuery): boolean =>
  (attention ?? group) !== undefined ||
  isSomebody(takenBy) ||
  (kind !== undefined && (stage ?? open ?? confirmedSince) !== undefined);

const NO_INDEX = 'by time needs attention, group, a name in takenBy, or kind with stage or open';

/** Selects the subjects that match. */
export const matchingSubjects = (reads: Kysely<Database>, query: SubjectQuery) =>
  conditionsFor(query, reads).reduce((selected, it) => selected.where(it), reads.selectFrom('subjects'));

const conditionsFor = (query: SubjectQuery, reads: Kysely<Database>): readonly RawBuilder<boolean>[] => [
  ...conditionsOf(subjectFilters, query, reads),
  ...(query.sort === 'due' ? [isDueAndOpen] : []),
];

/** Page of a list of subjects. */
interface WantedPage {
  readonly after?: Place | undefined;
  readonly limit: number;
}

/** Returns the subjects that match, each sort from an index in its order; default: by tenant, kind and id. */
export async function listSubjects(
  { reads }: Pick<Sources, 'reads'>,
  query: SubjectQuery,
  page: WantedPage,
): Promise<readonly SubjectRow[]> {
  return (await selectPage(reads, query, page).execute()).map(toSubject);
}

/** Selects a page of the subjects that match. */
export function selectPage(reads: Kysely<Database>, wanted: SubjectQuery, { after, limit }: WantedPage) {
  const { sort = 'id' } = wanted;
  const matching = [...conditionsFor(wanted, reads), ...(after ? [isAfter(after, sort)] : [])];
  let query = matching.reduce((selected, condition) => selected.where(condition), selectSubjects(reads)).limit(limit);
  const direction = isDescending(sort) ? 'desc' : 'asc';
  if (sort !== 'id') query = query.orderBy(timeOf[sort], direction);
  for (const column of ['tenant', 'kind', 'subject_id'] as const) query = query.orderBy(column, direction);
  return query;
}

function isAfter({ at, tenant, kind, id }: Place, sort: Sort): RawBuilder<boolean> {
  if (sort === 'id') return sql<boolean>`(tenant, kind, subject_id) > (${tenant}, ${kind}, ${id})`;
  if (!at) throw new Problem(400, `after ${NO_PLACE}`);
  const comparison = isDescending(sort) ? sql`<` : sql`>`;
  return sql<boolean>`(${sql.ref(timeOf[sort])}, tenant, kind, subject_id) ${comparison} (${at.getTime()}, ${tenant}, ${kind}, ${id})`;
}

/** Returns the time of a subject by which a sort orders; null for the ids. */
export function sortTimeOf({ stageSince, dueAt, createdAt }: SubjectRow, sort: Sort): Date | null {
  if (sort === 'id') return null;
  return { oldest: stageSince, newest: stageSince, due: dueAt, created: createdAt }[sort];
}
