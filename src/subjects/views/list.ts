import { z } from 'zod';
import { NO_PLACE } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import { lastOrderStages } from '../../domain/lifecycle/stage.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { isSomebody } from '../tables/taking.ts';
import { countViews, subjectCount } from './counts.ts';
import { meansOpen, subjectFilters } from './filters.ts';
import { subjectsPage } from './list-page.ts';
import { completed, listSubjects, matchingSubjects, type Place, sortTimeOf } from './list-query.ts';
import { subjectFile, subjectRow, troubleRow } from './subject/row.ts';

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
    'A page of subjects with their stage, deadline and what needs attention, for work lists and reports. All filters apply together; with `olderThan` or `confirmedSince` and no reason for attention, the kind is `order` unless another is given. An unknown filter or value is answered 400.',
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
  read: (sources, { after, ...query }, limit) => listSubjects(sources, completed(query), { after, limit }),
  count: ({ reads }, query) => countMatching(reads, matchingSubjects(reads, completed(query))),
  placeOf(row, query) {
    const at = sortTimeOf(row, completed(query).sort);
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
