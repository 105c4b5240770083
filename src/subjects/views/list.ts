import { sql } from 'kysely';
import { z } from 'zod';
import { personOf } from '../../admin/access.ts';
import { listAddress, sectionOf, titleOf } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { bulkForm, type Fields, filterForm } from '../../admin/board/list-forms.ts';
import { number } from '../../admin/board/text.ts';
import { lastingValuesOf } from '../../admin/queries.ts';
import { defineList, type ShownRows } from '../../admin/views/list.ts';
import { byNumber, byText } from '../../admin/views/place.ts';
import { count, type Sources } from '../../admin/views/view.ts';
import { DAY_MS } from '../../base/moment.ts';
import { words } from '../../base/text.ts';
import { collectionOf, type SubjectKind, subjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { lastOrderStages } from '../../domain/lifecycle/stage.ts';
import { type CountStatement, countEach } from '../../store/bounded-count.ts';
import { isOpen, needsAttention } from '../../store/subjects.ts';
import { countDue, countSubjects } from '../tables/counts.ts';
import { isDue, isDueAndOpen } from '../tables/deadlines.ts';
import { isSomebody } from '../tables/taking.ts';
import { lastingFilters, meansOpen, type SubjectQuery, subjectFilters } from './filters.ts';
import { type SubjectRow, selectSubjects, subjectRow, toSubject, troubleRow } from './subject/row.ts';
import { subjectColumns } from './subject/table.ts';

/** None for `id`. */
const timeOf = {
  ...({ oldest: 'stage_since', newest: 'stage_since' } as const),
  due: 'due_at',
  // Of those of one time: what was told by a forecast, then what only the fixed time puts at risk.
  risk: sql<number>`case when expected_at is null then due_at - 1 else at_risk_at end`,
};

/** By what people mean, of which there is an index. */
function sortOf({
  due,
  dueAt,
  kind,
  stage,
  open,
  attention,
  takenBy,
  ...given
}: SubjectQuery): keyof typeof timeOf | 'id' {
  if (dueAt !== undefined) return 'risk';
  if (due !== undefined) return 'due';
  if (given.confirmedSince !== undefined) return 'newest';
  if (given.olderThan !== undefined || isSomebody(takenBy)) return 'oldest';
  if ((given.customer ?? given.tenant) !== undefined) return 'id';
  if (attention === undefined && (kind === undefined || (stage ?? open) === undefined)) return 'id';
  return lastOrderStages.some((it) => it === stage) ? 'newest' : 'oldest';
}

/** With what people mean. */
function completed(given: SubjectQuery): SubjectQuery {
  const { kind, attention, olderThan, confirmedSince } = given;
  const isByAge = (olderThan ?? confirmedSince) !== undefined;
  return {
    ...given,
    ...(isByAge && attention === undefined && { kind: kind ?? mainKind }),
    ...(olderThan !== undefined && meansOpen(given) && { open: 'true' as const }),
  };
}

/** Tabs above the list of orders. */
const saved = {
  open: ['Open', {}, () => countSubjects(sql`kind = ${sql.lit(mainKind)} and ${isOpen}`)],
  overdue: ['Overdue', { due: 'overdue' }, (now) => countDue(isDue.overdue(now))],
  willMiss: ['Will miss', { due: 'willMiss' }, (now) => countDue(isDue.willMiss(now))],
  atRisk: ['At risk', { due: 'atRisk' }, (now) => countDue(isDue.atRisk(now))],
  attention: ['Needs attention', { attention: 'any' }, () => countSubjects(needsAttention)],
  shipped: ['Shipped in 24 hours', { confirmedSince: '24h' }, (now) => countSubjects(isShippedSince(now - DAY_MS))],
} as const satisfies Readonly<Record<string, readonly [string, Fields, (now: number) => CountStatement]>>;

const isShippedSince = (at: number) =>
  sql`kind = ${sql.lit(mainKind)} and stage = 'confirmed' and stage_since >= ${at}`;

type SavedView = keyof typeof saved;

const savedViews = Object.keys(saved) as [SavedView, ...SavedView[]];

const subjectCount = z.object({
  view: z.enum(savedViews),
  count,
  isMore: z.boolean().describe('There are more than were counted.'),
});

type SubjectCount = z.output<typeof subjectCount>;

async function countViews({ reads }: Pick<Sources, 'reads'>): Promise<readonly SubjectCount[]> {
  const counted = await countEach(reads, savedViews, (view) => saved[view][2](Date.now()));
  return counted.map(({ item: view, count, isMore }) => ({ view, count, isMore }));
}

type Shown = ShownRows<typeof subjectFilters, SubjectRow, SubjectCount>;

type Filters = Shown['filters'];

function subjectsPage(shown: Shown) {
  const { total, given, filters } = shown;
  const { kind, due, takenBy } = filters;
  const title = kind !== undefined ? titleOf(kind) : isSomebody(takenBy) ? 'Taken' : 'Needs attention';
  const records = words(kind === undefined ? 'records' : collectionOf[kind]);
  return {
    title,
    section: sectionOf(kind),
    about: kind === undefined || kind === mainKind ? tabs(shown) : families(kind),
    // The kind of the page, also where its address does not name it.
    chips: filterForm({ ...shown, given: kind === undefined ? given : { kind, ...given } }),
    empty: meansOpen(filters)
      ? `No open ${records}${ofWhom(filters)}. Choose a stage to see closed ones.`
      : `No ${records}${ofWhom(filters)} match.`,
    bulk: due === undefined && bulkForm('refresh', lastingValuesOf(lastingFilters, completed(filters)), total),
  } as const;
}

const ofWhom = ({ customer }: Filters): string => (customer === undefined ? '' : ` of customer “${customer}”`);

const families = (chosen: SubjectKind): Markup => html`<nav class="tabs" aria-label="Kinds of records">
${subjectKinds.filter((kind) => kind !== mainKind).map((kind) => tab(titleOf(kind), { kind }, kind === chosen))}
</nav>`;

const tab = (name: string, fields: Fields, isCurrent: boolean, count?: SubjectCount): Markup =>
  html`<a href="${listAddress('/board/subjects', fields)}"${isCurrent && html` aria-current="page"`}>${name}${count && html` <span class="count${['attention', 'overdue', 'willMiss'].includes(count.view) && count.count > 0 && ' bad'}">${number(count.count)}${count.isMore && '+'}</span>`}</a>`;

/** The view that is shown, maybe narrowed further, is the last whose filters are given. */
function tabs({ given, filters, groups, caller }: Shown): Markup {
  const all: readonly (readonly [name: string, fields: Fields, view?: SavedView])[] = [
    ...savedViews.map((view) => [saved[view][0], saved[view][1], view] as const),
    ['Mine', { takenBy: personOf(caller) }],
  ];
  const isGiven = ([name, value]: readonly [string, string | undefined]) =>
    value === 'any' ? given[name] !== undefined : given[name] === value;
  const current = all.findLast(([, fields, view]) =>
    view === 'open' ? meansOpen(filters) : Object.entries(fields).every(isGiven),
  );
  return html`<nav class="tabs" aria-label="Views">
${all.map((it) => {
  const [name, fields, view] = it;
  return tab(
    name,
    fields,
    it === current,
    groups.find((group) => group.view === view),
  );
})}
</nav>`;
}

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
  select: ({ reads }, { due }) =>
    due === undefined ? selectSubjects(reads) : selectSubjects(reads).where(isDueAndOpen),
  order(given) {
    const sort = sortOf(given);
    return {
      by: [...(sort === 'id' ? [] : [byNumber(timeOf[sort])]), ...['tenant', 'kind', 'subject_id'].map(byText)],
      isDescending: sort === 'newest',
    };
  },
  toRows: (_sources, stored) => stored.map(toSubject),

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for. */
    '/subjects': (meant) => ({
      ...(meant.attention === undefined && !isSomebody(meant.takenBy) && { kind: mainKind }),
      ...(meansOpen(meant) && { open: 'true' }),
    }),
  },

  page: subjectsPage,
});
