import type { CountedRows } from '../../store/bounded-count.ts';
import { type Content, html, type Markup } from './html.ts';
import { number } from './text.ts';

interface Column {
  readonly name: string;
  readonly kind: 'number' | 'nowrap' | 'minor' | 'action';
}

export interface Row {
  readonly id?: string;
  readonly isChosen?: boolean;
  /** Also for columns that are left out. The first names the row. */
  readonly cells: readonly Content[];
}

/** `label` or `heading` (an id) names the table. */
interface Table {
  readonly label?: string;
  readonly heading?: string;
  /** False leaves it out. */
  readonly columns: readonly (string | Column | false)[];
  readonly rows: readonly Row[];
}

/** Scrolls where it is too wide; on a narrow screen each row is a card. */
export function table({ label, heading, columns, rows }: Table): Markup {
  const shown = columns.map((it) => (typeof it === 'string' ? { name: it, kind: undefined } : it));
  return html`
<div class="scroll" tabindex="0" role="region"${label !== undefined && html` aria-label="${label}"`}${heading !== undefined && html` aria-labelledby="${heading}"`}><table>
<thead><tr>${shown.map((column) => column && headOf(column))}</tr></thead>
<tbody>${rows.map(
    ({
      id,
      isChosen,
      cells,
    }) => html`<tr${id !== undefined && html` id="row-${id}"`}${isChosen && html` class="chosen"`}>
${shown.map((column, index) => column && cellOf(column, cells[index], index === 0))}
</tr>
`,
  )}</tbody>
</table></div>`;
}

type ShownColumn = Pick<Column, 'name'> & { readonly kind: Column['kind'] | undefined };

const classOf = ({ kind }: ShownColumn): Markup | false => kind !== undefined && html` class="${kind}"`;

const headOf = (column: ShownColumn): Markup =>
  html`<th scope="col"${classOf(column)}>${column.kind === 'action' ? html`<span class="aside">${column.name}</span>` : column.name}</th>`;

function cellOf(column: ShownColumn, content: Content, isFirst: boolean): Markup {
  if (isFirst) return html`<th scope="row"${classOf(column)}>${content}</th>`;
  return html`<td${classOf(column)}${column.kind !== 'action' && html` data-label="${column.name}"`}>${content}</td>`;
}

export const numeric = (name: string): Column => ({ name, kind: 'number' });

export const nowrap = (name: string): Column => ({ name, kind: 'nowrap' });

/** Left out where there is little room. */
export const minor = (name: string): Column => ({ name, kind: 'minor' });

export const actionColumn: Column = { name: 'Action', kind: 'action' };

interface ShownPart {
  readonly rows: readonly unknown[];
  readonly total: CountedRows;
  readonly next: string | null;
  readonly csv: string;
}

export const listEnd = ({ rows, total, next, csv }: ShownPart): Markup | false =>
  rows.length > 0 &&
  html`<p class="more">${number(rows.length)} of ${amountOf(total)}${next !== null && html` · <a href="${next}">Next page</a>`} · <a href="${csv}">Download as CSV</a> · <a href="${forExcel(csv)}" title="Begins with a byte order mark, without which Excel shows ü as Ã¼">for Excel</a></p>`;

const forExcel = (csv: string): string => `${csv}${csv.includes('?') ? '&' : '?'}excel=yes`;

const amountOf = ({ count, isMore }: CountedRows): string => `${isMore ? 'more than ' : ''}${number(count)}`;

export const fact = (name: string, value: Markup | string | number | null | false): Markup | false =>
  value !== null && value !== false && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
