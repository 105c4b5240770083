import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { Problem } from '../../http/problem.ts';
import type { Database } from '../../store/schema.ts';
import { isDue, isDueAndOpen } from '../../store/tables/deadlines.ts';
import { type SubjectFilter, subjectConditions } from '../../store/tables/subject-filter.ts';
import { isSomebody } from '../../store/tables/taking.ts';
import { NO_PLACE } from '../queries.ts';
import { type SubjectRow, selectSubjects, toSubject } from './subject/row.ts';
import type { Sources } from './view.ts';

/** Orders of the list: by tenant, kind and id, the longest in their stage first, the newest in it, those that are due first, or the last created first. */
export const sorts = ['id', 'oldest', 'newest', 'due', 'created'] as const;

export type Sort = (typeof sorts)[number];

/** Time by which each sort orders; none for the ids. */
const timeOf = { oldest: 'stage_since', newest: 'stage_since', due: 'due_at', created: 'created_at' } as const;

/** Sorts that begin with the latest time. */
const isDescending = (sort: Sort): boolean => sort === 'newest' || sort === 'created';

/** Subjects that are asked for. */
export interface WantedSubjects {
  readonly filter: SubjectFilter;
  /** Default: by tenant, kind and id. */
  readonly sort?: Sort;
  readonly due?: keyof typeof isDue;
}

/** Subject after which a page begins; its time is needed where they are sorted by time. */
export type Place = SubjectRef & { readonly at?: Date | undefined };

/** Returns the sort that people mean who ask for none. */
export function usualSort({ due, takenBy, createdSince, confirmedSince, olderThan }: TimeFilter): Sort {
  if (due !== undefined) return 'due';
  if (confirmedSince !== undefined) return 'newest';
  if (olderThan !== undefined || isSomebody(takenBy)) return 'oldest';
  return createdSince === undefined ? 'id' : 'created';
}

type TimeFilter = { readonly [F in 'due' | 'takenBy' | 'createdSince' | 'confirmedSince' | 'olderThan']?: unknown };

/** Selects the subjects that match. */
export const matchingSubjects = (reads: Kysely<Database>, { filter, sort, due }: WantedSubjects) =>
  conditionsOf(filter, sort, due).reduce((selected, it) => selected.where(it), reads.selectFrom('subjects'));

const conditionsOf = (filter: SubjectFilter, sort?: Sort, due?: keyof typeof isDue): readonly RawBuilder<boolean>[] => [
  ...subjectConditions(filter),
  ...(sort === 'due' ? [isDueAndOpen] : []),
  ...(due ? [isDue[due](Date.now())] : []),
];

/** Page of a list of subjects. */
type WantedPage = Omit<WantedSubjects, 'filter'> & { readonly after?: Place; readonly limit: number };

/** Returns the subjects that match a filter, each sort from an index in its order. */
export async function listSubjects(
  { reads }: Pick<Sources, 'reads'>,
  filter: SubjectFilter,
  page: WantedPage,
): Promise<readonly SubjectRow[]> {
  return (await selectPage(reads, filter, page).execute()).map(toSubject);
}

/** Selects a page of the subjects that match a filter. */
export function selectPage(
  reads: Kysely<Database>,
  filter: SubjectFilter,
  { sort = 'id', due, after, limit }: WantedPage,
) {
  const matching = [...conditionsOf(filter, sort, due), ...(after ? [isAfter(after, sort)] : [])];
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
