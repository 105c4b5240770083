import { sql } from 'kysely';
import { z } from 'zod';
import { personOf } from '../../admin/access.ts';
import { listAddress, sectionOf, titleOf } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { bulkForm, chosenForm, type Fields, filterForm } from '../../admin/board/list-forms.ts';
import { number } from '../../admin/board/text.ts';
import { lastingValuesOf } from '../../admin/queries.ts';
import { defineList, type ShownRows } from '../../admin/views/list.ts';
import { byNumber, byText } from '../../admin/views/place.ts';
import { count, type Sources } from '../../admin/views/view.ts';
import { DAY_MS } from '../../base/moment.ts';
import { titled, words } from '../../base/text.ts';
import { collectionOf, type SubjectKind, subjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { lastOrderStages } from '../../domain/lifecycle/stage.ts';
import { Problem } from '../../http/problem.ts';
import { type CountStatement, countEach } from '../../store/bounded-count.ts';
import { isOpen, needsAttention } from '../../store/subjects.ts';
import { countDue, countSubjects } from '../tables/counts.ts';
import { isDue, isDueAndOpen } from '../tables/deadlines.ts';
import { isSomebody } from '../tables/taking.ts';
import {
  dueWords,
  lastingFilters,
  meansOpen,
  type Sort,
  type SubjectQuery,
  sortNames,
  subjectFilters,
} from './filters.ts';
import { type SubjectRow, selectSubjects, subjectRow, toSubject, troubleRow } from './subject/row.ts';
import { subjectColumns } from './subject/table.ts';

/** None for `id`. */
const timeOf = {
  ...({ oldest: 'stage_since', newest: 'stage_since' } as const),
  ...({ due: 'due_at', created: 'created_at' } as const),
  // Of those of one time: what was told by a forecast, then what only the fixed time puts at risk.
  risk: sql<number>`case when expected_at is null then due_at - 1 else at_risk_at end`,
};

function usualSort({ due, takenBy, createdSince, confirmedSince, olderThan }: SubjectQuery): Sort {
  if (due !== undefined) return 'due';
  if (confirmedSince !== undefined) return 'newest';
  if (olderThan !== undefined || isSomebody(takenBy)) return 'oldest';
  return createdSince === undefined ? 'id' : 'created';
}

/** By what people mean, in the order of an index. @throws Problem 400 without such an index */
function completed(given: SubjectQuery): SubjectQuery & { readonly sort: Sort } {
  const { due, kind, attention, olderThan, confirmedSince, sort = usualSort(given) } = given;
  const isByAge = (olderThan ?? confirmedSince) !== undefined;
  const query = {
    ...given,
    ...(isByAge && attention === undefined && { kind: kind ?? mainKind }),
    ...(olderThan !== undefined && meansOpen(given) && { open: 'true' as const }),
    sort,
  };
  if (due && sort !== 'due' && sort !== 'risk') throw new Problem(400, 'due goes with sort=due');
  if (sort === 'risk' && given.dueAt === undefined) throw new Problem(400, 'sort=risk goes with dueAt');
  if ((sort === 'oldest' || sort === 'newest') && !hasTimeIndex(query)) throw new Problem(400, `sort ${NO_INDEX}`);
  return query;
}

const hasTimeIndex = ({ kind, stage, open, attention, takenBy, confirmedSince }: SubjectQuery): boolean =>
  attention !== undefined ||
  isSomebody(takenBy) ||
  (kind !== undefined && (stage ?? open ?? confirmedSince) !== undefined);

const NO_INDEX = 'by time needs attention, a name in takenBy, or kind with stage or open';

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
  const { q, kind, due, takenBy } = filters;
  const title =
    kind !== undefined ? titleOf(kind) : isSomebody(takenBy) ? 'Taken' : q === undefined ? 'Needs attention' : 'Found';
  const records = words(kind === undefined ? 'records' : collectionOf[kind]);
  return {
    title,
    section: sectionOf(kind),
    about: html`${kind === undefined || kind === mainKind ? tabs(shown) : families(kind)}
<p class="muted">${describe(filters)}</p>`,
    // The kind of the page, also where its address does not name it.
    chips: filterForm({ ...shown, given: kind === undefined ? given : { kind, ...given } }),
    empty: meansOpen(filters)
      ? `No open ${records}${ofWhom(filters)}. Choose a stage to see closed ones.`
      : `No ${records}${ofWhom(filters)} match.`,
    bulk: html`<div class="actions">${chosenForm}${due === undefined && bulkForm('refresh', lastingValuesOf(lastingFilters, completed(filters)), total)}</div>`,
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

function describe(filters: Filters): string {
  const { due, takenBy, sort = usualSort(filters) } = filters;
  const taken = takenBy === undefined ? '' : ` and taken by ${takenBy}`;
  return `${nameOf(filters)}${taken}${due ? ` and ${dueWords[due]}` : ''}, ${sortNames[sort]}.`;
}

function nameOf({ stage, attention, takenBy, ...filters }: Filters): string {
  if (attention !== undefined) return 'All that need attention';
  if (stage !== undefined) return titled(stage);
  if (filters.confirmedSince !== undefined) return 'Closed since then';
  if (filters.q !== undefined) return `All that “${filters.q}” finds`;
  if (isSomebody(takenBy)) return 'All that are known';
  return filters.createdSince === undefined ? 'All that are open' : 'All since then, also closed ones';
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
  select: ({ reads }, { sort }) => (sort === 'due' ? selectSubjects(reads).where(isDueAndOpen) : selectSubjects(reads)),
  order: ({ sort = 'id' }) => ({
    by: [...(sort === 'id' ? [] : [byNumber(timeOf[sort])]), ...['tenant', 'kind', 'subject_id'].map(byText)],
    isDescending: sort === 'newest' || sort === 'created',
  }),
  toRows: (_sources, stored) => stored.map(toSubject),

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for; in the order that an index has. */
    '/subjects': ({ customer, tenant, due, olderThan, ...meant }) => ({
      ...((meant.q ?? meant.attention) === undefined && !isSomebody(meant.takenBy) && { kind: mainKind }),
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
