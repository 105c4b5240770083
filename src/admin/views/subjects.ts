import { z } from 'zod';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import { lastOrderStages } from '../../domain/lifecycle/stage.ts';
import { Problem } from '../../http/problem.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { meansOpen, type SubjectFilter } from '../../store/tables/subject-filter.ts';
import { isSomebody } from '../../store/tables/taking.ts';
import { NO_PLACE } from '../queries.ts';
import { defineList } from './list.ts';
import { subjectFile, subjectRow, troubleRow } from './subject/row.ts';
import { countViews, subjectCount } from './subject-counts.ts';
import { type SubjectQuery, subjectFilters } from './subject-filters.ts';
import { subjectsPage } from './subjects-page.ts';
import {
  listSubjects,
  matchingSubjects,
  type Place,
  sortTimeOf,
  usualSort,
  type WantedSubjects,
} from './subjects-query.ts';

/** Completes a query with what people mean: an index has these subjects in this order. @throws Problem 400 if none has */
function wanted({ due, sort, ...given }: SubjectQuery): WantedSubjects {
  const isByAge = (given.olderThan ?? given.confirmedSince) !== undefined;
  const filter: SubjectFilter = {
    ...given,
    ...(isByAge && (given.attention ?? given.group) === undefined && { kind: given.kind ?? 'order' }),
    ...(given.olderThan !== undefined && meansOpen(given) && { open: 'true' as const }),
  };
  const chosen = sort ?? usualSort({ ...given, due });
  if (due && chosen !== 'due') throw new Problem(400, 'due goes with sort=due');
  if ((chosen === 'oldest' || chosen === 'newest') && !hasTimeIndex(filter)) throw new Problem(400, `sort ${NO_INDEX}`);
  return { filter, sort: chosen, ...(due && { due }) };
}

/** Reports whether an index has the subjects that match a filter in the order of their time. */
const hasTimeIndex = ({ kind, stage, open, attention, group, takenBy, confirmedSince }: SubjectFilter): boolean =>
  (attention ?? group) !== undefined ||
  isSomebody(takenBy) ||
  (kind !== undefined && (stage ?? open ?? confirmedSince) !== undefined);

const NO_INDEX = 'by time needs attention, group, a name in takenBy, or kind with stage or open';

/** Place of a subject: its key, after its time where they are sorted by one, such as `1770000000000.order:9104:31004581`. */
const place = z
  .string()
  .meta({ examples: ['order:9104:31004581'] })
  .transform((value, context): Place => {
    const [, time, key = ''] = /^(?:(\d{1,15})\.)?([^\0]+)$/s.exec(value) ?? [];
    const subject = parseSubjectKey(key);
    if (subject) return { ...subject, at: time === undefined ? undefined : new Date(Number(time)) };
    context.addIssue({ code: 'custom', message: NO_PLACE });
    return z.NEVER;
  });

export const subjectList = defineList({
  path: '/subjects',
  summary: 'Lists orders, receipts and other subjects',
  tag: 'Orders',
  description:
    'A page of subjects with their stage, deadline and what needs attention, for work lists and reports. All filters apply together. An unknown filter or value is answered 400.',
  names: { row: 'ListedSubject', page: 'SubjectPage' },
  parts: { Trouble: troubleRow },
  filters: subjectFilters,
  place,
  groups: {
    name: 'SubjectCount',
    summary: 'count the orders of each standard view instead',
    row: subjectCount,
    read: countViews,
  },
  row: subjectRow,
  file: subjectFile,
  columns: [
    'kind',
    'id',
    'tenant',
    'stage',
    'stageSince',
    'attention',
    'takenBy',
    'dueAt',
    'referenceNumber',
    'customerId',
    'lastEventAt',
    'facilityId',
  ],
  read(sources, { after, ...query }, limit) {
    const { filter, ...order } = wanted(query);
    return listSubjects(sources, filter, { ...order, limit, ...(after && { after }) });
  },
  count: ({ reads }, { after: _, ...query }: SubjectQuery & { readonly after?: unknown }) =>
    countMatching(reads, matchingSubjects(reads, wanted(query))),
  placeOf(row, query) {
    const at = sortTimeOf(row, wanted(query).sort ?? 'id');
    return `${at === null ? '' : `${at.getTime()}.`}${subjectKey(row)}`;
  },

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for; in the order that an index has. */
    '/subjects': ({ customer, tenant, due, olderThan, ...meant }) => ({
      ...((meant.attention ?? meant.group) === undefined && !isSomebody(meant.takenBy) && { kind: 'order' }),
      ...(meansOpen(meant) && { open: 'true' }),
      ...((meant.createdSince ?? meant.confirmedSince ?? olderThan ?? due) === undefined && {
        sort:
          (customer ?? tenant) !== undefined
            ? 'id'
            : lastOrderStages.some((it) => it === meant.stage)
              ? 'newest'
              : 'oldest',
      }),
    }),
  },

  html: subjectsPage,
});
