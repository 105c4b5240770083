import type { CountedRows } from '../../store/bounded-count.ts';
import { type Content, html, type Markup } from './html.ts';
import { number } from './text.ts';

type Cell<Row> = (row: Row) => Content;

/** `minor`: left out where there is little room; `action`: with a form. */
export type Kind = 'text' | 'number' | 'nowrap' | 'minor' | 'action';

interface Column<Row> {
  readonly as?: Kind | undefined;
  readonly cell: Cell<Row>;
}

type Columns<Row> = Readonly<Record<string, Cell<Row> | Column<Row> | false>>;

interface Table<Row> {
  readonly label?: string;
  readonly heading?: string;
  readonly rows: readonly Row[];
  /** The first names the row; another is left out if no row fills it. */
  readonly columns: Columns<Row>;
  idOf?(row: Row): string;
  isChosen?(row: Row): boolean;
}

/** Scrolls where it is too wide; on a narrow screen each row is a card. */
export function table<Row>({ label, heading, rows, columns, idOf, isChosen }: Table<Row>): Markup {
  const known = Object.entries(columns).flatMap(([name, it]) =>
    it === false ? [] : [{ name, ...(typeof it === 'function' ? { cell: it } : it) }],
  );
  const filled = known.map(({ cell, ...column }) => ({ ...column, cells: rows.map((row) => cell(row)) }));
  const shown = filled.filter(({ cells }, index) => index === 0 || cells.some(isFilled));
  return html`
<div class="scroll" tabindex="0" role="region"${label !== undefined && html` aria-label="${label}"`}${heading !== undefined && html` aria-labelledby="${heading}"`}><table>
<thead><tr>${shown.map(headOf)}</tr></thead>
<tbody>${rows.map(
    (row, at) => html`<tr${idOf && html` id="row-${idOf(row)}"`}${isChosen?.(row) && html` class="chosen"`}>
${shown.map((column, index) => cellOf(column, column.cells[at], index === 0))}
</tr>
`,
  )}</tbody>
</table></div>`;
}

const isFilled = (content: Content): boolean => content === 0 || Boolean(content);

interface Head extends Pick<Column<never>, 'as'> {
  readonly name: string;
}

const classOf = ({ as = 'text' }: Head): Markup | false => as !== 'text' && html` class="${as}"`;

const headOf = (column: Head): Markup =>
  html`<th scope="col"${classOf(column)}>${column.as === 'action' ? html`<span class="aside">${column.name}</span>` : column.name}</th>`;

function cellOf(column: Head, content: Content, isFirst: boolean): Markup {
  if (isFirst) return html`<th scope="row"${classOf(column)}>${content}</th>`;
  return html`<td${classOf(column)}${column.as !== 'action' && html` data-label="${column.name}"`}>${content}</td>`;
}

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
