import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Known, Urgency, WarehouseAnswer } from '../../../src/warehouse/gets.ts';
import { orderOf as orderNamed } from '../../support/make.ts';
import { never, openWarehouse } from '../open-warehouse.ts';
import type { Recorded, Reply } from '../recording-server.ts';

type Order = Readonly<Record<string, unknown>>;

const changed = (second: number) => `2026-02-11T10:42:${String(second).padStart(2, '0')}`;

/** An order that was changed in some second. */
const orderOf = (id: string, second = 10, more: object = {}): Order => ({
  referenceNum: `REF-${id}`,
  readOnly: { orderId: Number(id), status: 0, lastModifiedDate: changed(second) },
  ...more,
});

/** The ids that a listing asks for; undefined for another GET. */
const askedIn = ({ target }: Recorded): readonly string[] | undefined =>
  /=in=\(([^)]*)\)/.exec(decodeURIComponent(target))?.[1]?.split(',');

const pageOf = (rows: readonly Order[]): Reply => ({
  body: { totalResults: rows.length, _embedded: { 'http://api.3plCentral.com/rels/orders/order': rows } },
});

/** Nothing is known of a record, so that a row has only to say when it was changed. */
const unknown = async (): Promise<Known> => ({ stored: undefined, newest: [] });

const idIn = ({ target }: Recorded): string => /\/orders\/(\d+)/.exec(target)?.[1] ?? '';

interface Play {
  readonly callsPerSecond?: number;
  /** Answer to a GET of many; default: each of them. */
  readonly page?: (ids: readonly string[]) => Reply | Promise<Reply>;
  readonly single?: (id: string) => Reply | Promise<Reply>;
}

/** A warehouse whose rate is used up by one GET a while ago, so that what is asked for now waits together for the next turn. */
async function open({
  page = (ids) => pageOf(ids.map((id) => orderOf(id))),
  single = (id) => ({ body: orderOf(id) }),
  callsPerSecond = 4,
}: Play = {}) {
  const limitations: (string | undefined)[] = [];
  const answer = (request: Recorded) => {
    const ids = askedIn(request);
    return ids ? page(ids) : single(idIn(request));
  };
  const opened = await openWarehouse(
    { api: answer },
    {
      callsPerSecond,
      othersWaiting: () => 1000,
      timeoutMs: 3000,
      onPageLimitation: (_, reason) => void limitations.push(reason),
    },
  );
  const { warehouse } = opened;
  await warehouse.getOrder('1', never);
  const answers = new Map<string, WarehouseAnswer[]>();
  const get = (id: string, { signal = never, ...given }: Urgency & { readonly signal?: AbortSignal } = {}) => {
    const urgency = { known: unknown, ...given };
    const own: WarehouseAnswer[] = [];
    answers.set(id, own);
    const client = warehouse.observed((it) => own.push(it));
    return client.getSubject({ tenant: '9104', kind: 'order', id }, signal, urgency);
  };
  return {
    ...opened,
    limitations,
    answers,
    get,
    /** Gets orders that wait together; returns their bodies, or the codes of what failed. */
    getAll: async (ids: readonly string[], urgency: Urgency = {}) =>
      await Promise.all(
        ids.map((id) =>
          get(id, urgency).then(
            ({ body }) => JSON.parse(body),
            ({ code }) => code,
          ),
        ),
      ),
    /** The GETs after the first: the ids of those of many, and single ones. */
    asked: () =>
      opened
        .gets()
        .slice(1)
        .map((it) => askedIn(it)?.join() ?? idIn(it)),
  };
}

describe('orders that wait for their turns', () => {
  it('are answered by one GET, once one of them was compared with its own', async () => {
    const { getAll, asked, answers } = await open();
    expect(await getAll(['2', '3', '4'])).toEqual(['2', '3', '4'].map((id) => orderOf(id)));
    expect(asked()).toEqual(['2,3,4', '2']);
    expect(await getAll(['5', '6'])).toEqual(['5', '6'].map((id) => orderOf(id)));
    expect(asked()).toEqual(['2,3,4', '2', '5,6']);
    expect(answers.get('6')).toEqual([
      { status: 200, ms: expect.any(Number), startedAt: expect.any(Number), others: 1 },
    ]);
  });

  it('keep every digit of their records', async () => {
    const row =
      '{"readOnly":{"orderId":ID,"status":0,"creationDate":"2026-02-11T10:42:10"},"weight":1.50,"serial":12345678901234567890}';
    const text = (id: string) => row.replace('ID', id);
    const { get } = await open({
      single: (id) => ({ body: text(id) }),
      page: (ids) => ({ body: `{"totalResults":2,"ResourceList":[${ids.map(text).join()}]}` }),
    });
    const [, second] = await Promise.all([get('2'), get('3')]);
    expect(second.body).toBe(text('3'));
  });

  it.each<[string, (ids: readonly string[]) => readonly Order[]]>([
    ['that a page lacks', (ids) => ids.slice(0, 2).map((id) => orderOf(id))],
    ['that a page repeats', (ids) => [...ids, ...ids.slice(2)].map((id) => orderOf(id))],
    [
      'that a page shows as an error',
      (ids) => ids.map((id, index) => (index < 2 ? orderOf(id) : { Message: 'error' })),
    ],
  ])('%s are asked for one by one', async (_, rows) => {
    const { getAll, asked } = await open({
      page: (ids) => pageOf(rows(ids)),
      single: (id) => ({ body: orderOf(id, 20) }),
    });
    const found = await getAll(['2', '3', '4']);
    expect(found).toEqual([orderOf('2', 20), orderOf('3'), orderOf('4', 20)]);
    expect(asked()).toEqual(['2,3,4', '2', '4']);
  });

  it('may be answered in any order', async () => {
    const { getAll } = await open({ page: (ids) => pageOf(ids.toReversed().map((id) => orderOf(id))) });
    expect(await getAll(['2', '3', '4'])).toEqual(['2', '3', '4'].map((id) => orderOf(id)));
  });

  it('are asked for one by one where a row is no newer than what is known, and at once where none could be', async () => {
    const { get, asked } = await open({ single: (id) => ({ body: orderOf(id, 30) }) });
    const stored = (second: number) => async () => ({ stored: JSON.stringify(orderOf('3', second)), newest: [] });
    const rows = await Promise.all([
      get('2'),
      get('3', { known: stored(10) }),
      get('3', { known: stored(9) }),
      get('4', { known: async () => undefined }),
      get('5', { known: undefined }),
    ]);
    expect(rows.map(({ body }) => JSON.parse(body).readOnly.lastModifiedDate)).toEqual(
      [30, 30, 10, 30, 30].map(changed),
    );
    expect(asked().toSorted()).toEqual(['2', '2,3,4', '3', '4', '5']);
  });

  it('never count as missing because a page lacks them', async () => {
    const { getAll } = await open({
      page: () => pageOf([]),
      single: (id) => (id === '3' ? { status: 404, body: {} } : { body: orderOf(id) }),
    });
    expect(await getAll(['2', '3'])).toEqual([orderOf('2'), 'ERR_WAREHOUSE_NOT_FOUND']);
  });

  it.each<[string, Reply, RegExp]>([
    [
      'refuses the filter',
      { status: 400, body: { ErrorCode: 'NotSupported' } },
      /GET \/orders answered 400 \(ErrorCode NotSupported\)/,
    ],
    ['allows no listing', { status: 403, body: {} }, /GET \/orders answered 403/],
    ['has no such listing', { status: 404, body: {} }, /GET \/orders answered 404/],
    [
      'ignores the filter',
      pageOf([orderOf('7'), orderOf('8')]),
      /GET \/orders answered with records that were not asked for/,
    ],
    [
      'shows less in listings',
      pageOf([{ readOnly: { orderId: 2, status: 0 } }, { readOnly: { orderId: 3, status: 0 } }]),
      /shows less .*: referencenum/,
    ],
  ])(
    'are asked for one by one from then on where the warehouse %s, which is reported',
    { timeout: 15_000 },
    async (_, page, reason) => {
      const { getAll, asked, limitations } = await open({ page: () => page });
      expect(await getAll(['2', '3'])).toEqual([orderOf('2'), orderOf('3')]);
      expect(await getAll(['4', '5'])).toEqual([orderOf('4'), orderOf('5')]);
      expect(asked()).toEqual(['2,3', '2', '3', '4', '5']);
      expect(limitations).toEqual([expect.stringMatching(reason)]);
    },
  );

  it.each<[string, Reply]>([
    ['is not JSON', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['has too many values', { body: `{"ResourceList":[${'[],'.repeat(310_000)}[]]}` }],
    ['does not come in time', 'hang'],
  ])('are asked for one by one where a page %s', { timeout: 15_000 }, async (_, page) => {
    const { getAll, asked, limitations } = await open({ page: () => page });
    expect(await getAll(['2', '3'])).toEqual([orderOf('2'), orderOf('3')]);
    expect(asked()).toEqual(['2,3', '2', '3']);
    expect(limitations).toEqual([]);
  });

  it.each<[string, Reply]>([
    ['answers 500', { status: 500, body: 'error' }],
    ['answers 429', { status: 429, body: {} }],
    ['ends the connection', 'reset'],
    ['answers 204', { status: 204 }],
  ])(
    'are asked for one by one where a listing %s, at last without it, which is reported',
    { timeout: 30_000 },
    async (_, page) => {
      const { getAll, asked, limitations } = await open({ page: () => page });
      for (const ids of [
        ['2', '3'],
        ['4', '5'],
        ['6', '7'],
        ['8', '9'],
      ])
        expect(await getAll(ids)).toEqual(ids.map((id) => orderOf(id)));
      const singles = asked().filter((it) => !it.includes(','));
      expect(asked().filter((it) => it.includes(','))).toEqual(['2,3', '4,5', '6,7']);
      expect(singles.toSorted()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
      expect(limitations).toEqual([expect.stringContaining('GET /orders')]);
    },
  );

  it('are asked for one by one as long as a 429 to their listing asks for', async () => {
    const { getAll, asked } = await open({
      page: () => ({ status: 429, headers: { 'retry-after': '3600' }, body: {} }),
    });
    for (const ids of [
      ['2', '3'],
      ['4', '5'],
    ])
      expect(await getAll(ids)).toEqual(ids.map((id) => orderOf(id)));
    expect(asked()).toEqual(['2,3', '2', '3', '4', '5']);
  });

  it('fail together where no token is to be had, which is no failure of the listing', async () => {
    const { getAll, asked, limitations } = await open({ page: () => ({ status: 401, body: {} }) });
    expect(await getAll(['2', '3'])).toEqual(['ERR_WAREHOUSE_TOKEN', 'ERR_WAREHOUSE_TOKEN']);
    expect(asked()).toEqual(['2,3', '2,3']);
    expect(limitations).toEqual([]);
  });

  it('are asked for one by one for a while after a listing lagged three times in a row, which is reported', async () => {
    const { getAll, asked, limitations } = await open({
      single: (id) => ({ body: orderOf(id, 20) }),
      callsPerSecond: 10,
    });
    const reported = async () => ({ stored: undefined, newest: [{ milestone: null, changedAt: changed(15) }] });
    await getAll(['2', '3'], { known: reported });
    expect(limitations).toEqual([]);
    await getAll(['4', '5'], { known: reported });
    expect(limitations).toEqual([expect.stringContaining('GET /orders shows records as they were before')]);
    expect(await getAll(['6', '7'])).toEqual([orderOf('6', 20), orderOf('7', 20)]);
    expect(asked()).toEqual(['2,3', '2', '3', '4,5', '4', '5', '6', '7']);
  });

  it('are asked for in pages as small as those that the warehouse answers', async () => {
    const ids = Array.from({ length: 9 }, (_, index) => String(index + 2));
    const { getAll, asked } = await open({
      page: (all) => pageOf(all.slice(0, 3).map((id) => orderOf(id))),
      callsPerSecond: 10,
    });
    expect(await getAll(ids)).toEqual(ids.map((id) => orderOf(id)));
    await getAll(ids);
    expect(asked().filter((it) => it.includes(','))).toEqual([ids.join(), '2,3,4', '5,6,7', '8,9,10']);
  });

  it('are given up with the reason of their own signals, and the GET once nobody waits for it', async () => {
    const { get, asked, gets } = await open({ page: () => 'hang' });
    const first = new AbortController();
    const second = new AbortController();
    const both = [first, second].map(({ signal }, index) =>
      get(String(index + 2), { signal }).catch((reason: unknown) => reason),
    );
    await expect.poll(() => gets().length, { timeout: 5000 }).toBe(2);
    first.abort(new Error('first'));
    expect(await both[0]).toEqual(new Error('first'));
    second.abort(new Error('second'));
    expect(await both[1]).toEqual(new Error('second'));
    expect(asked()).toEqual(['2,3']);
  });

  it('leave those alone that stay when another is given up before the turn', async () => {
    const { get, asked } = await open();
    const controller = new AbortController();
    const given = get('2', { signal: controller.signal }).catch(() => 'given up');
    const others = Promise.all([get('3'), get('4')]);
    controller.abort();
    expect(await given).toBe('given up');
    await others;
    expect(asked()[0]).toBe('3,4');
  });

  it('are given up with their patience if no turn comes', async () => {
    const { get } = await open();
    const code = (id: string) =>
      get(id, { withinMs: 50 }).then(
        () => 'answered',
        (error) => error.code,
      );
    expect(await Promise.all([code('2'), code('3')])).toEqual(['ERR_WAREHOUSE_BUSY', 'ERR_WAREHOUSE_BUSY']);
  });
});

describe('an order', () => {
  it('that is alone goes by its own GET, at once', async () => {
    const { warehouse, gets } = await openWarehouse({}, { callsPerSecond: 5 });
    await warehouse.getSubject(orderNamed('1'), never, { known: unknown });
    await pause(150);
    await warehouse.getSubject(orderNamed('2'), never, { known: unknown });
    expect(gets().map(({ target }) => target)).toEqual(['/orders/1', '/orders/2']);
  });
});

describe('orders that others are known to follow', () => {
  it('wait for each other although the rate has room for them, and for nobody once it has room for all', async () => {
    let others = 1000;
    const { warehouse, gets } = await openWarehouse(
      { api: (request) => pageOrOrder(request) },
      { callsPerSecond: 100, othersWaiting: () => others },
    );
    const get = async (id: string) => await warehouse.getSubject(orderNamed(id), never, { known: unknown });
    const loading = ['2', '3', '4'].map(async (id, index) => {
      await pause(20 * index);
      return await get(id);
    });
    expect((await Promise.all(loading)).map(({ body }) => JSON.parse(body))).toEqual(
      ['2', '3', '4'].map((id) => orderOf(id)),
    );
    others = 0;
    await get('5');
    expect(gets().map((it) => askedIn(it)?.join() ?? idIn(it))).toEqual(['2,3,4', '2', '5']);
  });
});

const pageOrOrder = (request: Recorded): Reply => {
  const ids = askedIn(request);
  return ids ? pageOf(ids.map((id) => orderOf(id))) : { body: orderOf(idIn(request)) };
};
