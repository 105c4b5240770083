import { may } from '../../admin/access.ts';
import { listAddress, titleOf } from '../../admin/board/addresses.ts';
import { bulkForm, chosenForm } from '../../admin/board/bulk-form.ts';
import { type Fields, filterFields } from '../../admin/board/filter-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { viewForm } from '../../admin/board/saved-views.ts';
import { listEnd } from '../../admin/board/table.ts';
import { capitalized, number, untrusted, words } from '../../admin/board/text.ts';
import { lastingValuesOf } from '../../admin/filter.ts';
import type { ShownRows } from '../../admin/views/list.ts';
import { collectionOf, type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import { isSomebody } from '../tables/taking.ts';
import type { SubjectCount } from './counts.ts';
import { lastingFilters, meansOpen, sortNames, subjectFilters } from './filters.ts';
import { completed, usualSort } from './list-query.ts';
import type { SubjectRow } from './subject/row.ts';
import { subjectTable } from './subject/table.ts';

type Shown = ShownRows<typeof subjectFilters, SubjectRow, SubjectCount>;

type Filters = Shown['filters'];

/** Shows a page of subjects, with the form of its filters. */
export function subjectsPage(shown: Shown): Page {
  const { rows, caller, now, filters } = shown;
  const { kind, due, takenBy } = filters;
  const title = kind !== undefined ? titleOf(kind) : isSomebody(takenBy) ? 'Taken' : 'Needs attention';
  const records = kind === undefined ? 'records' : collectionOf[kind];
  return {
    title,
    section: kind === undefined || kind === 'order' ? 'orders' : 'inventory',
    content: html`<div class="head"><h1>${title}</h1></div>
${kind === undefined || kind === 'order' ? tabs(shown) : families(kind)}
${chips(shown)}
<p class="muted">${describe(filters)}</p>
${rows.length === 0 ? html`<p class="empty">${meansOpen(filters) ? `No open ${records}. Choose a stage to see closed ones.` : `No ${records} match.`}</p>` : subjectTable(rows, { now, title, areMixed: kind === undefined, canChoose: may(caller, 'act') })}
${listEnd(shown)}
${rows.length > 0 && may(caller, 'act') && html`<div class="actions">${chosenForm}${due === undefined && bulkForm('refresh', lastingValuesOf(lastingFilters, completed(filters)), shown.total)}</div>`}`,
  };
}

const families = (chosen: SubjectKind): Markup => html`<nav class="tabs" aria-label="Kinds of records">
${subjectKinds.filter((kind) => kind !== 'order').map((kind) => tab(titleOf(kind), { kind }, kind === chosen))}
</nav>`;

const tab = (name: string, fields: Fields, isCurrent: boolean, count?: SubjectCount): Markup =>
  html`<a href="${listAddress('/board/subjects', fields)}"${isCurrent && html` aria-current="page"`}>${name}${count && html` <span class="count${(count.view === 'attention' || count.view === 'overdue') && count.count > 0 && ' bad'}">${number(count.count)}${count.isMore && '+'}</span>`}</a>`;

/** Lists that people look at most, each with the filters that make it. */
const saved: readonly (readonly [name: string, fields: Fields, view?: SubjectCount['view']])[] = [
  ['Open', {}, 'open'],
  ['Overdue', { due: 'overdue' }, 'overdue'],
  ['At risk', { due: 'atRisk' }, 'atRisk'],
  ['Needs attention', { attention: 'any' }, 'attention'],
  ['Shipped in 24 hours', { confirmedSince: '24h' }, 'shipped'],
];

function tabs({ given, groups, caller, views }: Shown): Markup {
  const { kind: _, ...narrowed } = given;
  const isShown = (fields: Fields) => JSON.stringify(fields) === JSON.stringify(narrowed);
  const mine: Fields = { takenBy: caller.name };
  return html`<nav class="tabs" aria-label="Views">
${saved.map(([name, fields, view]) =>
  tab(
    name,
    fields,
    isShown(fields),
    groups.find((it) => it.view === view),
  ),
)}
${tab('Mine', mine, isShown(mine))}
${views.map(({ name, query }) => tab(name, Object.fromEntries(new URLSearchParams(query)), query === queryOf(given)))}
</nav>`;
}

/** Returns the filters of a list as an address has them. */
const queryOf = (given: Fields): string => listAddress('', given).slice(1);

/** Shows each filter that was given, with a link that takes it away, and the form of all. */
function chips(shown: Shown): Markup {
  const { given, views, filters } = shown;
  // The kind of the page, also where its address does not name it.
  const kept = filters.kind === undefined ? given : { kind: filters.kind, ...given };
  return html`<div class="chips">
<details class="filtering"><summary class="chip">+ Filter</summary>${filterFields({ ...shown, given: kept })}</details>
${Object.entries(given).map(([name, value]) => name !== 'kind' && name !== 'group' && html`<a class="chip plain" href="${listAddress('/board/subjects', { ...given, [name]: undefined })}" title="Remove this filter">${labelOf(name)}: ${untrusted(value ?? '', 40)} ×</a>`)}
${queryOf(given) !== '' && viewForm(queryOf(given), views)}
</div>`;
}

const labelOf = (name: string): string =>
  (subjectFilters as Shown['fields'])[name as keyof Shown['fields']]?.label ?? capitalized(words(name));

/** Words of a filter by deadlines in the description of a list. */
const dueNames = { overdue: ' and overdue', atRisk: ' and at risk', soon: ' and due within 24 hours' } as const;

function describe(filters: Filters): string {
  const { due, takenBy, sort = usualSort(filters) } = filters;
  const taken = takenBy === undefined ? '' : ` and taken by ${takenBy}`;
  return `${nameOf(filters)}${taken}${due ? dueNames[due] : ''}, ${sortNames[sort]}.`;
}

function nameOf({ stage, attention, group, takenBy, ...filters }: Filters): string {
  if (group !== undefined) return 'All that need attention for the same reason';
  if (attention !== undefined) return 'All that need attention';
  if (stage !== undefined) return capitalized(words(stage));
  if (filters.confirmedSince !== undefined) return 'Closed since then';
  if (isSomebody(takenBy)) return 'All that are known';
  return filters.createdSince === undefined ? 'All that are open' : 'All since then, also closed ones';
}
