import type { CountedRows } from '../../store/bounded-count.ts';
import { type Content, html, type Markup } from './html.ts';
import { number } from './text.ts';

/** Table with the text, or the id of the heading, that names it. */
export interface Table {
  readonly label?: string;
  readonly heading?: string;
  readonly columns: readonly (string | Markup | false | null)[];
  readonly rows: Content;
}

/** Shows a table, which scrolls by itself where it is too wide. */
export const table = ({ label, heading, columns, rows }: Table): Markup => html`
<div class="scroll" tabindex="0" role="region"${label !== undefined && html` aria-label="${label}"`}${heading !== undefined && html` aria-labelledby="${heading}"`}><table>
<thead><tr>${columns.map((it) => (typeof it === 'string' ? html`<th scope="col">${it}</th>` : it))}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;

/** Heading of a column of numbers. */
export const numeric = (name: string): Markup => html`<th scope="col" class="number">${name}</th>`;

/** Heading of a column of buttons, which needs none for those who see it. */
export const actionColumn: Markup = html`<th scope="col"><span class="aside">Action</span></th>`;

/** Rows of a page, with those of the list that it is a part of. */
interface ShownPart {
  readonly rows: readonly unknown[];
  readonly total: CountedRows;
  readonly next: string | null;
  readonly csv: string;
}

/** Says how many rows a page has of how many, with links to the following page and to all of them as a file. */
export const listEnd = ({ rows, total, next, csv }: ShownPart): Markup | false =>
  rows.length > 0 &&
  html`<p class="more">${number(rows.length)} of ${amountOf(total)}${next !== null && html` · <a href="${next}">Next page</a>`} · <a href="${csv}">Download as CSV</a></p>`;

const amountOf = ({ count, isMore }: CountedRows): string => `${isMore ? 'more than ' : ''}${number(count)}`;

/** Shows a named value in a list of facts; nothing if there is none. */
export const fact = (name: string, value: Markup | string | number | null | false): Markup | false =>
  value !== null && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
