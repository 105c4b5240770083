import { collectionOf, type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Attention } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { meansOpen } from '../../store/tables/subject-filter.ts';
import { isSomebody } from '../../store/tables/taking.ts';
import { may } from '../access.ts';
import { listAddress, titleOf } from '../board/addresses.ts';
import type { Fields } from '../board/filter-form.ts';
import { html, type Markup } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import { bulkForm, chosenForm } from '../board/pages/bulk.ts';
import { viewForm } from '../board/saved-views.ts';
import { listEnd } from '../board/table.ts';
import { capitalized, foreign, number, shorten, words } from '../board/text.ts';
import type { ShownRows } from './list.ts';
import type { SubjectRow } from './subject/row.ts';
import { subjectTable } from './subject/table.ts';
import type { SubjectCount } from './subject-counts.ts';
import type { subjectFilters } from './subject-filters.ts';
import { type Sort, usualSort } from './subjects-query.ts';

type Shown = ShownRows<typeof subjectFilters, SubjectRow, SubjectCount>;

type Filters = Shown['filters'];

/** Shows a page of subjects, with the form of its filters. */
export function subjectsPage(shown: Shown): Page {
  const { rows, caller, now, filters } = shown;
  const { kind, id, due, takenBy } = filters;
  const title = kind !== undefined ? titleOf(kind) : isSomebody(takenBy) ? 'Taken' : 'Needs attention';
  const records = kind === undefined ? 'records' : collectionOf[kind];
  const canBeNamed = (id ?? due) === undefined;
  return {
    title,
    section: kind === undefined || kind === 'order' ? 'orders' : 'inventory',
    content: html`<div class="head"><h1>${title}</h1></div>
${kind === undefined || kind === 'order' ? tabs(shown) : families(kind)}
${filterForm(shown)}
<p class="muted">${describe(filters)}</p>
${rows.length === 0 ? html`<p class="empty">${meansOpen(filters) ? `No open ${records}. Choose a stage to see closed ones.` : `No ${records} match.`}</p>` : subjectTable(rows, { now, title, areMixed: kind === undefined, canChoose: may(caller, 'act') })}
${listEnd(shown)}
${rows.length > 0 && may(caller, 'act') && html`<div class="actions">${chosenForm}${canBeNamed && bulkForm('refresh', bulkFields(filters), shown.total)}</div>`}`,
  };
}

/** Names the same subjects for a bulk action, at a later time. */
function bulkFields({ kind, stage, attention, group, takenBy, customer, tenant, facility, ...times }: Filters) {
  const { olderThan, createdSince, confirmedSince } = times;
  const moments = { olderThan, createdSince, confirmedSince };
  return {
    ...{ kind, stage, attention, group, takenBy, customer, tenant, facility },
    ...Object.fromEntries(
      Object.entries(moments).flatMap(([name, at]) => (at === undefined ? [] : [[name, new Date(at).toISOString()]])),
    ),
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

/** Names of the marks, as a filter. */
const marks = {
  any: 'any reason',
  stalled: 'in its stage for too long',
  refused: 'refused by the warehouse',
  unannounced: 'announcement given up',
  failing: 'failing and retried',
} as const satisfies Record<'any' | Attention, string>;

/** Returns the filters of a list as an address has them. */
const queryOf = (given: Fields): string => listAddress('', given).slice(1);

function filterForm({ filters, given, rows, views }: Shown): Markup {
  const { kind, stage, attention, group, customer, facility, tenant, due, takenBy } = filters;
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`;
  const form = html`<form class="filters" action="/board/subjects">
${kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`}
${group !== undefined && html`<input type="hidden" name="group" value="${group}">`}
<label>Stage <select name="stage">${option('', meansOpen({ attention, group, takenBy }) ? 'all that are open' : 'any stage', stage)}${stages.map((it) => option(it, words(it), stage))}</select></label>
<label>Needs attention <select name="attention">${option('', 'any', attention)}${Object.entries(marks).map(([mark, name]) => option(mark, name, attention))}</select></label>
<label>Due <select name="due">${option('', 'any', due)}${option('overdue', 'overdue', due)}${option('atRisk', 'at risk', due)}${option('soon', 'within 24 hours', due)}</select></label>
<label>Taken by <input name="takenBy" value="${takenBy}" maxlength="100" size="8" placeholder="nobody"></label>
<label>In stage longer than <input name="olderThan" value="${given.olderThan}" maxlength="30" size="6" placeholder="2h"></label>
<label>Created since <input name="createdSince" value="${given.createdSince}" maxlength="30" size="6" placeholder="7d"></label>
<label>Confirmed since <input name="confirmedSince" value="${given.confirmedSince}" maxlength="30" size="6" placeholder="24h"></label>
<label>Customer <input name="customer" list="customers" value="${customer}" maxlength="100" size="8"></label>
<label>Facility <input name="facility" list="facilities" value="${facility}" maxlength="100" size="8"></label>
<label>Carrier <input name="carrier" list="carriers" value="${filters.carrier}" maxlength="100" size="8"></label>
<label>Account <input name="tenant" list="tenants" value="${tenant}" maxlength="100" size="8"></label>
<label>Sort by <select name="sort">${option('', 'default', given.sort)}${Object.entries(sortNames).map(([name, text]) => option(name, text, given.sort))}</select></label>
<button class="primary">Filter</button>
${offer(
  'customers',
  rows.map((row) => [row.customerId, row.facts.customerName]),
)}
${offer(
  'facilities',
  rows.map((row) => [row.facilityId]),
)}
${offer(
  'carriers',
  rows.map((row) => [row.facts.carrier]),
)}
${offer(
  'tenants',
  rows.map((row) => [row.tenant]),
)}
</form>`;
  return html`<div class="chips">
<details class="filtering"><summary class="chip">+ Filter</summary>${form}</details>
${chipsOf(given)}
${queryOf(given) !== '' && viewForm(queryOf(given), views)}
</div>`;
}

/** Shows each filter that was given, with a link that takes it away. */
function chipsOf(given: Fields): Markup[] {
  const shown = Object.entries(given).filter(([name]) => name !== 'kind' && name !== 'group');
  return shown.map(
    ([name, value]) =>
      html`<a class="chip plain" href="${listAddress('/board/subjects', { ...given, [name]: undefined })}" title="Remove this filter">${capitalized(words(name))}: ${foreign(value ?? '', 40)} ×</a>`,
  );
}

/** Offers the values that the shown records have. */
function offer(
  id: string,
  values: readonly (readonly [value: string | null | undefined, name?: string | undefined])[],
): Markup {
  const known = new Map(values.flatMap(([value, name]) => (value ? [[value, name ?? value] as const] : [])));
  return html`<datalist id="${id}">${[...known].map(([value, name]) => html`<option value="${value}">${shorten(name, 60)}</option>`)}</datalist>`;
}

const sortNames = {
  oldest: 'longest in their stage first',
  newest: 'newest in their stage first',
  id: 'by account and id',
  due: 'those that are due first',
  created: 'last created first',
} as const satisfies Record<Sort, string>;

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
