import { describe, expect, it } from 'vitest';
import { CSV_ROWS, openCsv } from '../../src/admin/views/csv.ts';
import { recordAs } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { lifecycleOf, order, orderOf } from '../support/make.ts';
import { openAdmin } from './open-admin.ts';

const csv = { accept: 'text/csv' };

/** Reads rows of a file by the rules of RFC 4180. */
function parse(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, separator, quoted, plain] of text.matchAll(/(^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)) {
    if (separator === '\r\n') rows.push([]);
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  }
  return rows.slice(0, -1);
}

describe('a list as CSV', () => {
  it('has every row that matches, with a heading, and nothing that a spreadsheet calculates', async () => {
    const store = await openTemporaryStore({ now: () => Date.UTC(2026, 1, 11) });
    const references = [
      '=cmd|" /C calc"!A0',
      '+1',
      '-1',
      '@SUM(A1)',
      '＝1+1',
      '＋1',
      '－1',
      '＠SUM(A1)',
      '\n=1',
      '\u200b=1',
      ' \u2060\u00ad@SUM(A1)',
      'a;=1',
      'a,"b"\r\nc',
      'plain',
    ];
    for (const [index, referenceNumber] of references.entries()) {
      const snapshot = { status: 'open', referenceNumber } as const;
      const lifecycle = lifecycleOf({ revision: 1, lastEventTime: 1, snapshot });
      await recordAs(store, orderOf(String(index + 10)), { lifecycle, stageSince: Date.UTC(2026, 1, 10) });
    }
    const { url } = await openAdmin({ store });
    const response = await fetch(`${url}/subjects`, { headers: csv });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const [heading = [], ...rows] = parse(await response.text());
    const column = (name: string) => rows.map((row) => row[heading.indexOf(name)]);
    expect(column('Record')).toEqual(references.map((_, index) => String(index + 10)));
    expect(column('Reference')).toEqual([
      ...references.slice(0, 11).map((text) => `'${text}`),
      ...references.slice(11),
    ]);
    expect(new Set(column('In stage since (UTC)'))).toEqual(new Set(['2026-02-10 00:00:00']));
    expect(rows.every((row) => row.length === heading.length)).toBe(true);
    const page = await fetch(`${url}/board/subjects.csv?stage=created&zone=America%2FChicago`);
    const excel = Buffer.from(await (await fetch(`${url}/board/subjects.csv?stage=created&excel=yes`)).arrayBuffer());
    expect(excel.subarray(0, 6).toString()).toBe(`\ufeff${heading[0]?.slice(0, 3)}`);
    expect(page.headers.get('content-disposition')).toBe('attachment; filename="subjects.csv"');
    const [local = [], ...shown] = parse(await page.text());
    expect(shown).toHaveLength(references.length);
    expect(shown[0]?.[local.indexOf('In stage since (America/Chicago)')]).toBe('2026-02-09 18:00:00');
    expect(local).not.toContain('On hand');
    for (const rest of ['?stage=packed', '?stage=packed&zone=Mars'])
      expect(parse(await (await fetch(`${url}/board/subjects.csv${rest}`)).text())).toEqual([
        local.map((name) => name.replace(/ \(.*/, '')),
      ]);
    expect(parse(await (await fetch(`${url}/subjects?limit=2`, { headers: csv })).text())).toHaveLength(3);
    expect((await fetch(`${url}/subjects?stage=lost`, { headers: csv })).status).toBe(400);
  });

  it('of orders has a column for each fact of the table, and no JSON', async () => {
    const store = await openTemporaryStore();
    const facts = { customerName: 'Alder, Tea', poNumber: '=1+1', carrier: 'UPS', trackingNumbers: ['1Z1', '1Z2'] };
    await recordAs(store, order, { facts: { ...facts, skus: ['TEA-1'] } });
    await store.activityFailures.note(order, 'retrieving', {
      operation: 'getOrder',
      error: 'GET answered 500',
      nextTryAt: 1,
    });
    const { url } = await openAdmin({ store });
    const [heading = [], row = []] = parse(await (await fetch(`${url}/board/subjects.csv`)).text());
    const cell = (name: string) => row[heading.indexOf(name)];
    expect(['Customer', 'PO number', 'Ship via', 'Tracking', 'SKUs', 'Stage', 'Attention'].map(cell)).toEqual([
      ...['Alder, Tea', "'=1+1", 'UPS', '1Z1, 1Z2', 'TEA-1', 'Created'],
      'The warehouse gives no answer that can be used, GET answered 500',
    ]);
    expect(row.some((it) => it.startsWith('{'))).toBe(false);
  });

  it('for Excel keeps every sign of what is no number', async () => {
    const written = [
      '9400110200881234567890',
      '007',
      '12E4',
      '3-12',
      'MAR1',
      'true',
      '1Z1, 1Z2',
      "it's",
      '4" pipe',
      '=7',
    ];
    const rows = [{ text: '' }, ...written.map((text) => ({ text })), { text: 7 }, { text: ['1Z1', '007'] }];
    const open = async (forExcel: boolean) => {
      const readPage = async () => ({ rows, next: null });
      const file = await openCsv({ columns: ['text'], after: undefined, limit: 50, readPage, forExcel });
      return parse((await file.toArray()).join('')).map(([cell]) => cell);
    };
    expect((await open(true)).slice(2)).toEqual([
      ...written.slice(0, 7).map((text) => `="${text}"`),
      "it's",
      '4" pipe',
      `="'=7"`,
      '7',
      '="1Z1, 007"',
    ]);
    expect((await open(false)).slice(2, 4)).toEqual(written.slice(0, 2));
  });

  it('says in its last line that it was cut', async () => {
    const readPage = async (after: string | undefined, limit: number) => {
      const first = Number(after ?? 0);
      const rows = Array.from({ length: limit }, (_, index) => ({ n: first + index, of: 'endless' }));
      return { rows, next: String(first + limit) };
    };
    const file = await openCsv({ columns: ['n', 'of'], after: undefined, limit: undefined, readPage });
    const lines = (await file.toArray()).join('').split('\r\n');
    expect(lines.slice(-3)).toEqual([
      `${CSV_ROWS - 1},endless`,
      '"Cut after 100,000 rows: choose fewer with filters.",',
      '',
    ]);
    expect(lines).toHaveLength(CSV_ROWS + 3);
  });
});
