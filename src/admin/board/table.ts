import { type Content, html, type Markup } from './html.ts';

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

/** Links to the following page, if there is one. */
export const nextPage = (address: string | null): Markup | false =>
  address !== null && html`<p class="more"><a href="${address}">Next page</a></p>`;

/** Shows a named value in a list of facts; nothing if there is none. */
export const fact = (name: string, value: Markup | string | number | null | false): Markup | false =>
  value !== null && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
