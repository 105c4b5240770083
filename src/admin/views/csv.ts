import { Readable } from 'node:stream';
import { number } from '../board/text.ts';
import { PAGE_LIMIT } from '../queries.ts';

/** Maximum number of rows of a file. */
export const CSV_ROWS = 100_000;

/** Rows of a list for a file. */
interface CsvRows {
  /** Names of the columns, which are members of the rows. */
  readonly columns: readonly string[];
  /** Reads some rows, from the beginning or after an earlier place. */
  readPage(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly rows: readonly object[]; readonly next: string | null }>;
  /** Place after which it begins; undefined for the beginning. */
  readonly after: string | undefined;
  /** Number of rows that was asked for; undefined for all. */
  readonly limit: number | undefined;
  /** Begins with a byte order mark, by which Excel recognizes UTF-8; other readers take it for a part of the first heading. */
  readonly forExcel?: boolean | undefined;
}

/** File of comma-separated values (RFC 4180) that is being written. */
export interface Csv {
  readonly name: string;
  readonly csv: Readable;
}

/**
 * Writes rows as comma-separated values in UTF-8, page by page as they are read. Its last line says so if there are more rows than a file
 * may have. Rejects if the first page cannot be read.
 */
export async function openCsv({ columns, readPage, after, limit, forExcel }: CsvRows): Promise<Readable> {
  const most = limit ?? CSV_ROWS;
  const first = await readPage(after, Math.min(PAGE_LIMIT, most));
  return Readable.from(lines(), { objectMode: false });

  async function* lines(): AsyncGenerator<string> {
    yield `${forExcel ? '\ufeff' : ''}${lineOf(columns)}`;
    let page = first;
    for (let left = most; ; ) {
      left -= page.rows.length;
      if (page.rows.length > 0) yield page.rows.map((row) => lineOf(columns.map((name) => cellOf(row, name)))).join('');
      if (page.next === null) return;
      if (left === 0) break;
      page = await readPage(page.next, Math.min(PAGE_LIMIT, left));
    }
    if (limit === undefined) yield lineOf(columns.map((_, index) => (index === 0 ? cutAfter(most) : '')));
  }
}

const cutAfter = (rows: number): string => `Cut after ${number(rows)} rows: choose fewer with filters.`;

const cellOf = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

const lineOf = (cells: readonly unknown[]): string => `${cells.map((cell) => quote(textOf(cell))).join(',')}\r\n`;

/** Writes lists of texts with commas, and everything else that has parts as JSON. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return harmless(cell);
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell) && cell.every((part) => typeof part === 'string')) return harmless(cell.join(', '));
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Keeps a spreadsheet from calculating what somebody else has written. */
const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Beginning of a formula. Spreadsheets in Japanese and Chinese calculate from full-width signs, too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Where a comma separates decimals, spreadsheets separate cells by semicolons. */
const quote = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
