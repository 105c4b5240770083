import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Urgency, WarehouseAnswer } from '../../../src/warehouse/gets.ts';
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

const idIn = ({ target }: Recorded): string => /\/orders\/(\d+)/.exec(target)?.[1] ?? '';

interface Play {
  /** Answer to a GET of many; default: each of them. */
  readonly page?: (ids: readonly string[]) => Reply | Promise<Reply>;
  readonly single?: (id: string) => Reply | Promise<Reply>;
}

/** A warehouse whose rate is used up by one GET a while ago, so that what is asked for now waits together for the next turn. */
async function open({
  page = (ids) => pageOf(ids.map((id) => orderOf(id))),
  single = (id) => ({ body: orderOf(id) }),
}: Play = {}) {
  const limitations: (string | undefined)[] = [];
  const answer = (request: Recorded) => {
    const ids = askedIn(request);
    return ids ? page(ids) : single(idIn(request));
  };
  const opened = await openWarehouse(
    { api: answer },
    { callsPerSecond: 1, timeoutMs: 3000, onPageLimitation: (_, reason) => void limitations.push(reason) },
  );
  const { warehouse } = opened;
  await warehouse.getOrder('1', never);
  const answers = new Map<string, WarehouseAnswer[]>();
  const get = (id: string, { signal = never, ...urgency }: Urgency & { readonly signal?: AbortSignal } = {}) => {
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
    getAll: async (...ids: readonly string[]) =>
      await Promise.all(
        ids.map((id) =>
          get(id).then(
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
    expect(await getAll('2', '3', '4')).toEqual(['2', '3', '4'].map((id) => orderOf(id)));
    expect(asked()).toEqual(['2,3,4', '2']);
    expect(await getAll('5', '6')).toEqual(['5', '6'].map((id) => orderOf(id)));
    expect(asked()).toEqual(['2,3,4', '2', '5,6']);
    expect(answers.get('6')).toEqual([
      { status: 200, ms: expect.any(Number), startedAt: expect.any(Number), others: 1 },
    ]);
  });

  it('keep every digit of their records', async () => {
    const row = '{"readOnly":{"orderId":ID,"status":0},"weight":1.50,"serial":12345678901234567890}';
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
    const found = await getAll('2', '3', '4');
    expect(found).toEqual([orderOf('2', 20), orderOf('3'), orderOf('4', 20)]);
    expect(asked()).toEqual(['2,3,4', '2', '4']);
  });

  it('may be answered in any order', async () => {
    const { getAll } = await open({ page: (ids) => pageOf(ids.toReversed().map((id) => orderOf(id))) });
    expect(await getAll('2', '3', '4')).toEqual(['2', '3', '4'].map((id) => orderOf(id)));
  });

  it('are asked for one by one where a page is older than what is known', async () => {
    const { get, asked } = await open({ single: (id) => ({ body: orderOf(id, 30) }) });
    const stored = (second: number) => async () => JSON.stringify(orderOf('3', second));
    const [, second, third] = await Promise.all([
      get('2'),
      get('3', { stored: stored(11) }),
      get('4', { stored: stored(10) }),
    ]);
    expect([second, third].map(({ body }) => JSON.parse(body))).toEqual([orderOf('3', 30), orderOf('4', 10)]);
    expect(asked()).toEqual(['2,3,4', '2', '3']);
  });

  it('never count as missing because a page lacks them', async () => {
    const { getAll } = await open({
      page: () => pageOf([]),
      single: (id) => (id === '3' ? { status: 404, body: {} } : { body: orderOf(id) }),
    });
    expect(await getAll('2', '3')).toEqual([orderOf('2'), 'ERR_WAREHOUSE_NOT_FOUND']);
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
      expect(await getAll('2', '3')).toEqual([orderOf('2'), orderOf('3')]);
      expect(await getAll('4', '5')).toEqual([orderOf('4'), orderOf('5')]);
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
    expect(await getAll('2', '3')).toEqual([orderOf('2'), orderOf('3')]);
    expect(asked()).toEqual(['2,3', '2', '3']);
    expect(limitations).toEqual([]);
  });

  it.each<[string, Reply, string]>([
    ['answers 500', { status: 500, body: 'error' }, 'ERR_WAREHOUSE_FAILED'],
    ['answers 429', { status: 429, body: {} }, 'ERR_WAREHOUSE_RATE_LIMITED'],
    ['ends the connection', 'reset', 'ERR_WAREHOUSE_UNREACHABLE'],
  ])('fail together where the warehouse %s', async (_, page, code) => {
    const { getAll, asked } = await open({ page: () => page });
    expect(await getAll('2', '3')).toEqual([code, code]);
    expect(asked()).toEqual(['2,3']);
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

describe('the examination of a listing by ids', () => {
  it.each<[string, Reply, unknown]>([
    ['says nothing where it shows all that a GET does', pageOf([orderOf('2')]), undefined],
    ['says what is refused', { status: 403, body: {} }, expect.stringContaining('answered 403')],
    ['says that the record is not there', pageOf([]), expect.stringContaining('lacks the record')],
    [
      'says what a row lacks',
      pageOf([{ readOnly: { orderId: 2 } }]),
      expect.stringContaining('shows less of a record than its own GET: referencenum'),
    ],
  ])('%s', async (_, page, reason) => {
    const { warehouse } = await openWarehouse({
      api: (request) => (askedIn(request) ? page : { body: orderOf(idIn(request)) }),
    });
    expect(await warehouse.examinePage('order', '2', never)).toEqual(reason);
  });
});

describe('an order', () => {
  it('that is alone goes by its own GET, at once', async () => {
    const { warehouse, gets } = await openWarehouse({}, { callsPerSecond: 5 });
    await warehouse.getOrder('1', never);
    await pause(150);
    await warehouse.getOrder('2', never);
    expect(gets().map(({ target }) => target)).toEqual(['/orders/1', '/orders/2']);
  });
});

describe('orders of a crowd', () => {
  it('wait for each other although the rate is free, and for nobody once it has passed', async () => {
    let others = 1000;
    const { warehouse, gets } = await openWarehouse(
      { api: (request) => pageOrOrder(request) },
      { callsPerSecond: 100, othersWaiting: () => others },
    );
    const loading = ['2', '3', '4'].map(async (id, index) => {
      await pause(20 * index);
      return await warehouse.getOrder(id, never);
    });
    expect((await Promise.all(loading)).map(({ body }) => JSON.parse(body))).toEqual(
      ['2', '3', '4'].map((id) => orderOf(id)),
    );
    others = 0;
    await warehouse.getOrder('5', never);
    expect(gets().map((it) => askedIn(it)?.join() ?? idIn(it))).toEqual(['2,3,4', '2', '5']);
  });

  it('do not wait again for a while after nobody came three times', async () => {
    const { warehouse, gets } = await openWarehouse(
      { api: (request) => pageOrOrder(request) },
      { callsPerSecond: 100, othersWaiting: () => 1000 },
    );
    for (const id of ['2', '3', '4']) await warehouse.getOrder(id, never);
    await Promise.all(['5', '6'].map((id) => warehouse.getOrder(id, never)));
    expect(gets().map((it) => askedIn(it)?.join() ?? idIn(it))).toEqual(['2', '3', '4', '5', '6']);
  });
});

const pageOrOrder = (request: Recorded): Reply => {
  const ids = askedIn(request);
  return ids ? pageOf(ids.map((id) => orderOf(id))) : { body: orderOf(idIn(request)) };
};
