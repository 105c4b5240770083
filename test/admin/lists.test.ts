import { expect, it } from 'vitest';
import { views } from '../../src/app/operations.ts';
import { runAdmin } from '../cli/running-command.ts';
import { describeOnEither, describeOnPostgres, openIn, type TestDatabase } from '../store/databases.ts';
import { HOUR, openListed } from './listed-rows.ts';
import { openAdmin } from './open-admin.ts';

type Row = Readonly<Record<string, unknown>>;

interface Listed {
  /** Stores the rows, unless `openListed` does. */
  store?(listed: Pick<Awaited<ReturnType<typeof openListed>>, 'store' | 'clock'>): Promise<unknown>;
  /** Name of a row, from its members, or from its cells, which are texts. */
  nameOf(row: Row): string;
  /** Names of all rows, in the order of the call. */
  readonly rows: string;
  /** Names of the rows that queries find. Each filter of the list is in one of them. */
  readonly finds: Readonly<Record<string, string>>;
  /** Names of the rows of pages which are of another order than the call, or of fewer rows. */
  readonly pages?: Readonly<Record<string, string>>;
  /** Page that has the same rows as the call. Default: that of its path; null if there is none. */
  readonly page?: string | null;
}

const byId = ({ id, record = id }: Row) => String(record);
const byEvent = ({ eventId, event }: Row) => String(eventId ?? event);

/** Rows of every list. */
const lists: Readonly<Record<string, Listed>> = {
  '/subjects': {
    nameOf: byId,
    rows: '4 8 1 3 5 6 7 2 12.7001.',
    finds: {
      'kind=receipt': '2',
      'kind=order&id=1': '1',
      'tenant=7001': '4 8',
      'kind=stock': '12.7001.',
      'stage=picked': '3 6',
      'stage=packed': '',
      'customer=418': '1',
      'facility=12': '3',
      'carrier=UPS': '3',
      'carrier=U%25': '',
      'carrier=UPS%5C': '',
      'attention=any': '2 3 5 6 7',
      'attention=stalled': '3 5',
      'attention=refused': '5',
      'attention=unannounced': '2',
      'attention=failing': '6 7',
      'kind=order&stage=picked&attention=stalled&tenant=9104': '3',
      'takenBy=ana': '5',
      'takenBy=nobody': '4 8 1 3 6 7 2 12.7001.',
      'kind=order&open=true': '1 3 5 6 7',
      'kind=order&stage=confirmed': '8 4',
      'olderThan=330m': '1 3 5',
      'confirmedSince=8h': '8 4',
      'confirmedSince=30m': '',
      'due=overdue': '5',
      'due=willMiss': '',
      'due=atRisk': '6',
      'due=onTime': '7',
      'due=soon': '6 7',
      'dueAt=2026-01-01T00:00:00Z': '',
      'due=overdue&customer=none': '',
    },
    page: null,
    pages: {
      '/subjects': '1 3 5 6 7',
      '/subjects?stage=picked': '3 6',
      '/subjects?stage=confirmed': '8 4',
      '/subjects?kind=receipt': '2',
      '/subjects?attention=any': '2 3 5 6 7',
      '/subjects?takenBy=ana': '5',
      '/subjects?tenant=9104': '1 3 5 6 7',
      '/subjects?olderThan=330m': '1 3 5',
      '/subjects?due=atRisk': '6',
    },
  },
  '/webhooks': {
    nameOf: byEvent,
    rows: 'y x 9104:2 9104:1',
    finds: {
      'state=recorded': '9104:1',
      'state=waiting': '9104:2',
      'state=quarantined': 'y x',
      'event=OrderCreate': '9104:1',
      'event=OrderPack*': '9104:2',
      'event=OrderPack': '',
      'kind=order': '9104:2 9104:1',
      'kind=receipt': '',
      'customer=418': '9104:1',
      'tenant=7001': 'y',
      'since=4h': 'y x',
      'since=6h&until=4h': '9104:2',
      'until=8h': '9104:1',
      'since=6h&state=waiting': '9104:2',
    },
  },
  '/quarantine': {
    nameOf: byEvent,
    rows: 'x y',
    finds: {
      'code=unknownName': 'x y',
      'code=ignoredName': '',
      'data={"name":"Y","families":["order"]}': 'y',
      'data={"name":"Y"}': '',
      'since=2h': 'y',
      'tenant=7001': 'y',
    },
  },
  '/announcements': {
    nameOf: ({ subject, destination }) => `${String(subject).split(':').at(-1)}/${destination || 'nobody'}`,
    rows: '4/nobody 3/default 2/default 1/erp 1/default',
    finds: {
      'sort=oldest': '1/default 1/erp 2/default 3/default 4/nobody',
      'state=unwanted': '4/nobody',
      'state=failing': '3/default',
      'state=unsent': '3/default',
      'state=dead-lettered': '2/default',
      'state=sent&sort=oldest': '1/default 1/erp',
      'state=sent&destination=erp': '1/erp',
      'kind=receipt': '2/default',
      'type=receipt.upd*': '2/default',
      'type=order.updated': '4/nobody 3/default 1/erp 1/default',
      'type=order.packed': '',
      'customer=418': '1/erp 1/default',
      'tenant=7001': '4/nobody',
      'tenant=9104&state=unsent': '3/default',
      'since=510m': '4/nobody 3/default',
      'since=570m&until=510m': '2/default',
      // It was given up seven hours after it was made.
      'state=dead-lettered&since=4h': '2/default',
      'state=dead-lettered&until=4h': '',
    },
    page: '/announcements/all',
    pages: {
      '/announcements': '3/default',
      '/announcements?state=': '3/default',
      '/announcements?state=sent': '1/default 1/erp',
      '/dead-letters': '2/default',
    },
  },
  '/destinations': {
    nameOf: ({ name, destination = name }) => String(destination),
    rows: 'alder birch default elm erp',
    finds: {
      'origin=configured': 'default erp',
      'state=paused': 'birch',
      'name=elm&tenant=9104': 'elm',
      'tenant=7001': '',
    },
  },
  '/audit': {
    async store({ store, clock }) {
      const start = clock.now;
      await store.db.deleteFrom('audit').execute();
      for (const [token, operator, action, hours] of [
        ['lead', 'ana', 'refresh', 8],
        ['lead', 'ben', 'resend', 6],
        ['night', 'ana', 'refresh', 4],
      ] as const) {
        clock.now = start - hours * HOUR;
        const target = { type: 'subject', id: `order:9104:${hours}` } as const;
        await store.audit.begin({ action, target, actor: { token, operator } });
      }
    },
    nameOf: ({ token, by = token, operator }) => `${by}/${operator}`,
    rows: 'night/ana lead/ben lead/ana',
    finds: {
      'by=ana': 'night/ana lead/ana',
      'by=lead': 'lead/ben lead/ana',
      'by=nobody': '',
      'action=resend': 'lead/ben',
      'since=5h': 'night/ana',
      'by=ana&since=5h': 'night/ana',
    },
  },
  '/bulk': { nameOf: byId, rows: '2 1', finds: {} },
};

const calls = views.flatMap(({ call }) => (call?.query?.shape.after ? [call] : []));

/** Reads a file of which no cell has a line break. */
function read(text: string): readonly Row[] {
  const [heading = [], ...rows] = text.split('\r\n').map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
  const members = heading.map((title) =>
    title.replace(/^\w/, (it) => it.toLowerCase()).replaceAll(/ (\w)/g, (_, it) => it.toUpperCase()),
  );
  return rows.slice(0, -1).map((cells) => Object.fromEntries(members.map((name, index) => [name, cells[index]])));
}

/** Returns the value of a field in the form of a page. */
function fieldIn(html: string, name: string): string | undefined {
  const input = `<input[^>]* name="${name}"[^>]* value="(?<written>[^"]*)"`;
  const choice = `<select name="${name}">(?:(?!</select>).)*? value="(?<chosen>[^"]*)" selected`;
  const { written, chosen } = new RegExp(`${input}|${choice}`, 's').exec(html)?.groups ?? {};
  return written ?? chosen;
}

/** Opens everything that shows a list. */
async function openFaces(path: string, { nameOf, store }: Listed, database: TestDatabase) {
  const listed = await openListed(database);
  await store?.(listed);
  const { all, get, url } = listed;
  const names = (found: readonly unknown[]) => found.map((row) => nameOf(row as Row)).join(' ');
  const textAt = async (address: string, headers = {}) => await (await fetch(url + address, { headers })).text();

  /** Finds what a page shows in the file that it leads to. */
  async function onPage(address: string) {
    const html = await textAt(address);
    const [file = ''] = /(?<=<a href=")[^"]*\.csv[^"]*(?=">Download)/.exec(html) ?? [];
    const rows = file === '' ? [] : read(await textAt(file.replaceAll('&amp;', '&')));
    const [, shown = 0, total = 0] = /<p class="more">(\d+) of (\d+) /.exec(html) ?? [];
    return { html, found: names(rows), shown: Number(shown), total: Number(total), count: rows.length };
  }

  return {
    called: async (asked: URLSearchParams, limit: number) => names(await all(`${path}?${asked}`, limit)),
    filed: async (asked: URLSearchParams) => names(read(await textAt(`${path}?${asked}`, { accept: 'text/csv' }))),
    async printed(asked: URLSearchParams) {
      const words = path.slice(1).split('/');
      const options = [...asked].map(([name, value]) => [`--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`, value]);
      const { stdout } = await runAdmin([...words, ...options.flat(), '--json'], { ADMIN_URL: url });
      return names(JSON.parse(stdout).items);
    },
    async shown(page: string, asked: URLSearchParams) {
      const { html, found, shown, total, count } = await onPage(`/board${page}?${asked}`);
      expect([shown, total, html.includes('excel=yes" title=')]).toEqual([count, count, count > 0]);
      if (html.includes('<form class="filters"'))
        expect([...asked.keys()].map((name) => fieldIn(html, name))).toEqual([...asked.values()]);
      return found;
    },
    /** Returns how many rows the page after the first row says that it has, and of how many. */
    async counted(page: string, asked: URLSearchParams) {
      const { next } = (await get(`${path}?${asked}&limit=1`)).body;
      const { shown, total } = await onPage(`/board${page}?${asked}&after=${encodeURIComponent(next)}`);
      return [shown, total];
    },
  };
}

it('every filter of every list is tried', () => {
  expect(Object.keys(lists).toSorted()).toEqual(calls.map(({ path }) => path).toSorted());
  for (const { path, query } of calls) {
    const tried = Object.keys(lists[path]?.finds ?? {}).flatMap((it) => [...new URLSearchParams(it).keys()]);
    const filters = Object.keys(query?.shape ?? {}).filter((name) => !['after', 'limit', 'summary'].includes(name));
    expect([path, ...new Set(tried)].toSorted()).toEqual([path, ...filters].toSorted());
  }
});

describeOnEither('a list', (database) => {
  it.each(Object.entries(lists))(
    'has the same rows as a call, page by page, as a file, in a terminal and on the board: %s',
    async (path, listed) => {
      const { rows, finds, page = path, pages = {} } = listed;
      const faces = await openFaces(path, listed, database);
      for (const limit of [2, 3, 50]) expect(await faces.called(new URLSearchParams(), limit)).toBe(rows);
      for (const [query, found] of Object.entries({ '': rows, ...finds })) {
        const asked = new URLSearchParams(query);
        const count = found.split(' ').filter(Boolean).length;
        expect({
          query,
          called: await faces.called(asked, 1),
          filed: await faces.filed(asked),
          printed: await faces.printed(asked),
          shown: page === null ? found : await faces.shown(page, asked),
          counted: page === null || count < 2 ? [count - 1, count] : await faces.counted(page, asked),
        }).toEqual({ query, called: found, filed: found, printed: found, shown: found, counted: [count - 1, count] });
      }
      for (const [address, found] of Object.entries(pages)) {
        const [page = '', query] = address.split('?');
        const asked = new URLSearchParams(query);
        expect([address, await faces.shown(page, asked)]).toEqual([address, found]);
        if (asked.has('sort')) expect(await faces.counted(page, asked)).toEqual([1, 2]);
      }
    },
  );
});

/** As addresses have them: patterns of LIKE, ends of texts, and what no database stores. */
const hostile = ['%25', '_', '%5C', '%5C%25', '%25%5C', "'", '%22', '%00', '31%00', '%ED%A0%80', '%F0%9F', '%EF%BF%BD'];

describeOnPostgres('what is looked for', (database) => {
  it('may be any text', async () => {
    const { get } = await openAdmin({ store: await openIn(database) });
    const asked = views.flatMap(({ call }) =>
      call?.path.includes('{') ? [] : Object.keys(call?.query?.shape ?? {}).map((name) => `${call?.path}?${name}=`),
    );
    expect(asked).toEqual(expect.arrayContaining(['/search?q=', '/subjects?carrier=']));
    const failed = [];
    for (const text of asked.flatMap((it) => hostile.map((text) => it + text)))
      if ((await get(text)).status >= 500) failed.push(text);
    expect(failed).toEqual([]);
  });
});
