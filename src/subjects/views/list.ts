import { defineList } from '../../admin/views/list.ts';
import { byNumber, byText } from '../../admin/views/place.ts';
import { subjectKey } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { lastOrderStages } from '../../domain/lifecycle/stage.ts';
import { isDueAndOpen } from '../tables/deadlines.ts';
import { isSomebody } from '../tables/taking.ts';
import { meansOpen, subjectFilters } from './filters.ts';
import { completed, countViews, subjectCount, subjectsPage, timeOf } from './list-page.ts';
import { selectSubjects, subjectRow, toSubject, troubleRow } from './subject/row.ts';
import { subjectColumns } from './subject/table.ts';

export const subjectList = defineList({
  path: '/subjects',
  summary: 'Lists orders, receipts and other subjects',
  tag: 'Orders',
  description:
    'A page of subjects with their stage, deadline and what needs attention, for work lists and reports. All filters apply together; with `olderThan` or `confirmedSince` and no reason for attention, the kind is `order` unless another is given. An unknown filter or value is answered 400.',
  names: { row: 'ListedSubject', page: 'SubjectPage' },
  parts: { Trouble: troubleRow },
  filters: subjectFilters,
  groups: {
    name: 'SubjectCount',
    summary: 'count the orders of each standard view instead',
    row: subjectCount,
    read: countViews,
  },
  row: subjectRow,
  columns: subjectColumns,
  idOf: subjectKey,
  complete: completed,
  select: ({ reads }, { sort }) => (sort === 'due' ? selectSubjects(reads).where(isDueAndOpen) : selectSubjects(reads)),
  order: ({ sort = 'id' }) => ({
    by: [...(sort === 'id' ? [] : [byNumber(timeOf[sort])]), ...['tenant', 'kind', 'subject_id'].map(byText)],
    isDescending: sort === 'newest' || sort === 'created',
  }),
  toRows: (_sources, stored) => stored.map(toSubject),

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for; in the order that an index has. */
    '/subjects': ({ customer, tenant, due, olderThan, ...meant }) => ({
      ...((meant.q ?? meant.attention ?? meant.group) === undefined &&
        !isSomebody(meant.takenBy) && { kind: mainKind }),
      ...(meansOpen(meant) && { open: 'true' }),
      ...((meant.createdSince ?? meant.confirmedSince ?? olderThan ?? due) === undefined && {
        sort:
          (meant.q ?? customer ?? tenant) !== undefined
            ? 'id'
            : lastOrderStages.some((it) => it === meant.stage)
              ? 'newest'
              : 'oldest',
      }),
    }),
  },

  page: subjectsPage,
});
