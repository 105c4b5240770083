import { subjectKey, subjectKinds } from '../../../domain/catalogue/subject.ts';
import type { attentions } from '../../../domain/lifecycle/attention.ts';
import { stages } from '../../../domain/lifecycle/stage.ts';
import { type Caller, may } from '../../access.ts';
import type { ListedSubject } from '../../ports.ts';
import { listAddress, nameOf, subjectAddress, titleOf } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import type { Choice, Sorting } from '../ports.ts';
import { briefly } from '../reasons.ts';
import { nextPage, table } from '../table.ts';
import { age, capitalized, foreign, words } from '../text.ts';
import { bulkForm } from './bulk.ts';
import type { ListPage } from './queries.ts';

/** Names of the marks, as a filter. */
const marks = {
  any: 'any reason',
  stalled: 'in its stage for too long',
  refused: 'refused by the warehouse',
  unannounced: 'announcement given up',
  failing: 'failing and retried',
} as const satisfies Record<'any' | (typeof attentions)[number], string>;

/** Page of the subjects of one kind, by the filters in its address. */
export function subjectsPage({
  rows,
  next,
  total,
  choice,
  sorting,
  now,
  caller,
}: ListPage<ListedSubject> & {
  readonly choice: Choice;
  readonly sorting: Sorting;
  readonly now: number;
  readonly caller: Caller;
}): Page {
  const title = choice.kind === undefined ? 'Needs attention' : titleOf(choice.kind);
  return {
    title,
    section: '/board/subjects',
    content: html`<h1>${title}</h1>
${families(choice)}
${filters(choice)}
<p class="muted">${describe(choice, sorting)}</p>
${rows.length === 0 ? html`<p class="empty">None${choice.stage === undefined && (choice.attention ?? choice.group) === undefined && ' is open. Choose a stage to see those that ended'}.</p>` : subjectTable(rows, now, title, choice.kind === undefined)}
${nextPage(next)}
${rows.length > 0 && may(caller, 'act') && bulkForm('refresh', { ...choice }, total)}`,
  };
}

/** Page of what a search found. */
export const searchPage = ({
  text,
  rows,
  now,
}: {
  readonly text: string;
  readonly rows: readonly ListedSubject[];
  readonly now: number;
}): Page => ({
  title: 'Search',
  content: html`<h1>Found for “${foreign(text, 60)}”</h1>
${
  rows.length === 0
    ? html`<p class="empty">Nothing has this reference number, id, customer or event id. All of it has to match, capitals included.</p>`
    : subjectTable(rows, now, 'Search results', true)
}`,
});

const families = ({ kind: chosen }: Choice): Markup => html`<nav aria-label="Kinds of records"><ul class="links">
${subjectKinds.map(
  (kind) =>
    html`<li><a href="${listAddress('/board/subjects', { kind })}"${kind === chosen && html` aria-current="page"`}>${titleOf(kind)}</a></li>`,
)}
</ul></nav>`;

function filters({ kind, stage, attention, group, customer, tenant }: Choice): Markup {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`;
  return html`<form class="filters" action="/board/subjects">
${kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`}
${group !== undefined && html`<input type="hidden" name="group" value="${group}">`}
<label>Stage <select name="stage">${option('', (attention ?? group) === undefined ? 'all that are open' : 'any stage', stage)}${stages.map((it) => option(it, words(it), stage))}</select></label>
<label>Needs attention <select name="attention">${option('', 'or not', attention)}${Object.entries(marks).map(([mark, name]) => option(mark, name, attention))}</select></label>
<label>Customer <input name="customer" value="${customer}" maxlength="100" size="8"></label>
<label>Account <input name="tenant" value="${tenant}" maxlength="100" size="8"></label>
<button>Filter</button>
</form>`;
}

function describe({ stage, attention, group }: Choice, sorting: Sorting): string {
  const which = group
    ? 'All that need attention for the same reason'
    : attention
      ? 'All that need attention'
      : stage
        ? capitalized(words(stage))
        : 'All that are open';
  const order = { oldest: 'longest in their stage first', newest: 'newest first', id: 'by account and id' }[sorting];
  return `${which}, ${order}.`;
}

const subjectTable = (rows: readonly ListedSubject[], now: number, title: string, areMixed: boolean): Markup =>
  table({
    label: title,
    columns: ['Id', 'Reference', 'Customer', 'Stage', 'For', 'Last event', 'Attention'],
    rows: rows.map(
      (row) => html`<tr id="row-${subjectKey(row)}">
<th scope="row"><a href="${subjectAddress(row)}">${foreign(areMixed ? nameOf(row) : row.id, 60)}</a></th>
<td class="reference">${row.referenceNumber !== null && foreign(row.referenceNumber, 60)}</td>
<td>${row.customerId !== null && foreign(row.customerId, 40)}</td>
<td><span class="badge">${capitalized(words(row.stage))}</span></td>
<td class="nowrap">${age(row.stageSince, now)}</td>
<td class="nowrap">${row.lastEventAt > 0 ? html`${age(row.lastEventAt, now)} ago` : 'none'}</td>
<td>${briefly(row, now)}</td>
</tr>`,
    ),
  });
