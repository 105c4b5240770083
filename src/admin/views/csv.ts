import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { number } from '../board/text.ts';
import { PAGE_LIMIT } from '../queries.ts';

export const CSV_ROWS = 100_000;

export interface CsvRows {
  readonly columns: readonly string[];
  readPage(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly rows: readonly object[]; readonly next: string | null }>;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  /** IANA name, of times; default: UTC. */
  readonly zone?: string;
  /** With a byte order mark, by which Excel recognizes UTF-8, and numbers of others as texts. */
  readonly forExcel?: boolean | undefined;
}

export interface Csv {
  readonly name: string;
  readonly csv: Readable;
}

/** UTF-8, page by page. Its last line says if there are more rows. Rejects if the first page fails. */
export async function openCsv({ columns, readPage, after, limit, zone = 'UTC', forExcel }: CsvRows): Promise<Readable> {
  const most = limit ?? CSV_ROWS;
  const times = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const write = (cell: unknown) =>
    cell instanceof Date ? times.format(cell) : (forExcel ? excelTextOf : textOf)(cell);
  const first = await readPage(after, Math.min(PAGE_LIMIT, most));
  const isTime = (name: string) => first.rows.some((row) => memberOf(row, name) instanceof Date);
  return Readable.from(lines(), { objectMode: false });

  async function* lines(): AsyncGenerator<string> {
    yield `${forExcel ? '\ufeff' : ''}${lineOf(columns.map((name) => (isTime(name) ? `${name} (${zone})` : name)))}`;
    let page = first;
    for (let left = most; ; ) {
      left -= page.rows.length;
      if (page.rows.length > 0)
        yield page.rows.map((row) => lineOf(columns.map((name) => write(memberOf(row, name))))).join('');
      if (page.next === null) return;
      if (left === 0) break;
      page = await readPage(page.next, Math.min(PAGE_LIMIT, left));
    }
    if (limit === undefined)
      yield lineOf([`Cut after ${number(most)} rows: choose fewer with filters.`, ...columns.slice(1).map(() => '')]);
  }
}

export const memberOf = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

const lineOf = (texts: readonly string[]): string => `${texts.map(quote).join(',')}\r\n`;

/** Commas join lists of texts; other parts are JSON. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return harmless(cell);
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell) && cell.every((part) => typeof part === 'string')) return harmless(cell.join(', '));
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Spreadsheets must not calculate what somebody has written. */
const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Also behind what nobody sees. In Japanese and Chinese, spreadsheets calculate from full-width signs, too. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠])/u;

/** Excel might take them for a number, a date or a boolean. Sentences are longer. */
const CONVERTIBLE = /^(?:(?=.*\d)[^"\r\n]{1,100}|true|false)$/i;

/** Excel drops zeros in front and digits from the 16th on, and takes `3-12` for a day. */
function excelTextOf(cell: unknown): string {
  const text = textOf(cell);
  return (typeof cell === 'string' || Array.isArray(cell)) && CONVERTIBLE.test(text) ? `="${text}"` : text;
}

/** Where a comma separates decimals, semicolons separate cells. */
const quote = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const CSV_TYPE = 'text/csv';

export const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.trim().startsWith(CSV_TYPE) ?? false;

export const sendCsv = (reply: FastifyReply, { name, csv }: Csv): FastifyReply =>
  reply
    .type(`${CSV_TYPE}; charset=utf-8; header=present`)
    .headers({ 'cache-control': 'no-store', vary: 'accept' })
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(csv);
