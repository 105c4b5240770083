import { personOf } from '../../admin/access.ts';
import { listAddress, sectionOf, titleOf } from '../../admin/board/addresses.ts';
import { bulkForm, chosenForm } from '../../admin/board/bulk-form.ts';
import { type Fields, filterForm } from '../../admin/board/filter-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { viewForm } from '../../admin/board/saved-views.ts';
import { number } from '../../admin/board/text.ts';
import { lastingValuesOf } from '../../admin/filter.ts';
import type { ShownRows } from '../../admin/views/list.ts';
import { titled, words } from '../../base/text.ts';
import { collectionOf, type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { isSomebody } from '../tables/taking.ts';
import type { SubjectCount } from './counts.ts';
import { dueWords, lastingFilters, meansOpen, sortNames, type subjectFilters } from './filters.ts';
import { completed, usualSort } from './list-query.ts';
import type { SubjectRow } from './subject/row.ts';

type Shown = ShownRows<typeof subjectFilters, SubjectRow, SubjectCount>;

type Filters = Shown['filters'];

export function subjectsPage(shown: Shown) {
  const { total, filters } = shown;
  const { q, kind, due, takenBy } = filters;
  const title =
    kind !== undefined ? titleOf(kind) : isSomebody(takenBy) ? 'Taken' : q === undefined ? 'Needs attention' : 'Found';
  const records = words(kind === undefined ? 'records' : collectionOf[kind]);
  return {
    title,
    section: sectionOf(kind),
    about: html`${kind === undefined || kind === mainKind ? tabs(shown) : families(kind)}
<p class="muted">${describe(filters)}</p>`,
    chips: narrowing(shown),
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

const saved: readonly (readonly [name: string, fields: Fields, view?: SubjectCount['view']])[] = [
  ['Open', {}, 'open'],
  ['Overdue', { due: 'overdue' }, 'overdue'],
  ['Will miss', { due: 'willMiss' }, 'willMiss'],
  ['At risk', { due: 'atRisk' }, 'atRisk'],
  ['Needs attention', { attention: 'any' }, 'attention'],
  ['Shipped in 24 hours', { confirmedSince: '24h' }, 'shipped'],
];

/** The view that is shown, maybe narrowed further, is the last whose filters are given. */
function tabs({ given, filters, groups, caller, views }: Shown): Markup {
  const all: readonly (typeof saved)[number][] = [
    ...saved,
    ['Mine', { takenBy: personOf(caller) }],
    ...views.map(({ name, query }) => [name, Object.fromEntries(new URLSearchParams(query))] as const),
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

const queryOf = (given: Fields): string => listAddress('', given).slice(1);

function narrowing(shown: Shown): Markup {
  const { given, views, filters } = shown;
  // The kind of the page, also where its address does not name it.
  const kept = filters.kind === undefined ? given : { kind: filters.kind, ...given };
  return filterForm({ ...shown, given: kept }, queryOf(given) !== '' && viewForm(queryOf(given), views));
}

function describe(filters: Filters): string {
  const { due, takenBy, sort = usualSort(filters) } = filters;
  const taken = takenBy === undefined ? '' : ` and taken by ${takenBy}`;
  return `${nameOf(filters)}${taken}${due ? ` and ${dueWords[due]}` : ''}, ${sortNames[sort]}.`;
}

function nameOf({ stage, attention, group, takenBy, ...filters }: Filters): string {
  if (group !== undefined) return 'All that need attention for the same reason';
  if (attention !== undefined) return 'All that need attention';
  if (stage !== undefined) return titled(stage);
  if (filters.confirmedSince !== undefined) return 'Closed since then';
  if (filters.q !== undefined) return `All that “${filters.q}” finds`;
  if (isSomebody(takenBy)) return 'All that are known';
  return filters.createdSince === undefined ? 'All that are open' : 'All since then, also closed ones';
}
