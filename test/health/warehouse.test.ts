import { expect, it } from 'vitest';
import type { FailureCode } from '../../src/domain/errors.ts';
import { nameOf } from '../../src/domain/health/incident.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { orderOf } from '../support/make.ts';
import { openTestHealth } from './sound-machine.ts';

const START = Date.UTC(2026, 1, 11, 12);
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Opens a warehouse of which orders succeed and fail as the test says, and time passes as it says. */
async function open(database: TestDatabase) {
  const clock = { now: START };
  const store = await openIn(database, { now: () => clock.now });
  const { whole } = openTestHealth(store);
  const heard = (outcome: string, code: FailureCode | null, operation: 'getOrder' | 'getUser' = 'getOrder') =>
    store.warehouseAnswers.add([{ tenant: '9104', operation, outcome, code, firstAt: clock.now, lastAt: clock.now }]);
  return {
    clock,
    store,
    succeed: (operation?: 'getOrder' | 'getUser') => heard('ok', null, operation),
    forbid: (operation: 'getUser') => heard('403', 'ERR_WAREHOUSE_FORBIDDEN', operation),
    async fail(id: string, status: number | undefined, code: FailureCode = 'ERR_WAREHOUSE_FAILED') {
      const error = `GET /orders/${id} ${status === undefined ? 'got no answer' : `answered ${status}`}`;
      const trouble = { operation: 'getOrder', error, code, nextTryAt: clock.now + 10 * SECOND };
      await store.activityFailures.note(orderOf(id), 'retrieving', { ...trouble, ...(status && { status }) });
      await heard(String(status ?? 'none'), code);
    },
    /** Orders of customers that are known already. */
    async know(id: string, customerId: string, customerName: string) {
      await recordAs(store, orderOf(id), { customerId, facts: { customerName } });
    },
    find: async () => await whole.all(),
    names: async () => (await whole.all()).map(nameOf),
  };
}

describeOnEither('a warehouse', (database) => {
  it('says since when it fails, how, how many wait and whose they are', async () => {
    const { clock, succeed, fail, know, find } = await open(database);
    for (const id of ['1', '2', '3']) await know(id, '418', 'Cobalt');
    await know('4', '420', 'Alder');
    await succeed();
    clock.now += 10 * SECOND;
    const since = clock.now;
    for (const id of ['1', '2', '3', '4', '5']) await fail(id, 503);
    clock.now += 59 * SECOND;
    expect(await find()).toEqual([]);
    clock.now += SECOND;
    expect(await find()).toMatchObject([
      {
        title: 'Warehouse 9104: 503 to all GETs',
        sort: '503',
        since,
        count: 5,
        customers: [{ id: '418', name: 'Cobalt', count: 3 }, { count: 1 }, { count: 1 }],
        because: expect.stringMatching(/answered 503/),
      },
    ]);
  });

  it('with one order whose GET fails while others succeed does not fail: the record does', async () => {
    const { clock, succeed, fail, find } = await open(database);
    for (let second = 0; second < 90; second += 10) {
      await fail('316266606', 500);
      clock.now += 5 * SECOND;
      await succeed();
      clock.now += 5 * SECOND;
    }
    expect(await find()).toMatchObject([
      {
        condition: 'record-failing',
        place: 'order:9104:316266606',
        title: 'The warehouse cannot return order 316266606 (500)',
        action: { path: '/subjects/9104/order/316266606/refresh' },
      },
    ]);
  });

  it('is not thought to fail by night, when only that order is asked for', async () => {
    const { clock, succeed, fail, names } = await open(database);
    await fail('7', 500);
    clock.now += 10 * SECOND;
    await succeed();
    for (let hour = 0; hour < 8; hour += 1) {
      clock.now += 60 * MINUTE;
      await fail('7', 500);
      expect(await names()).toEqual(['record-failing@order:9104:7']);
    }
  });

  it('that answers again is well, whatever still waits for its next try', async () => {
    const { clock, store, succeed, fail, names } = await open(database);
    await succeed();
    for (let second = 0; second < 90; second += 10) {
      clock.now += 10 * SECOND;
      for (const id of ['1', '2', '3', '4', '5', '6']) await fail(id, 503);
    }
    expect(await names()).toEqual(['warehouse-failing@9104']);
    clock.now += 5 * SECOND;
    await store.activityFailures.end(orderOf('1'), 'retrieving');
    await succeed();
    expect(await names()).toEqual([]);
  });

  it('that gives no answer fails', async () => {
    const { clock, fail, names } = await open(database);
    await fail('1', undefined, 'ERR_WAREHOUSE_UNREACHABLE');
    clock.now += MINUTE;
    expect(await names()).toEqual(['warehouse-failing@9104']);
  });

  it('that forbids an operation lacks a role, also when nothing is open any more, until it succeeds', async () => {
    const { clock, succeed, forbid, find, names } = await open(database);
    await succeed();
    await forbid('getUser');
    clock.now += 60 * MINUTE;
    await succeed();
    expect(await find()).toMatchObject([
      {
        condition: 'role-missing',
        place: '9104/getUser',
        since: START,
        title: 'The credential of warehouse 9104 may not read users: no role allows “Get User”',
      },
    ]);
    await succeed('getUser');
    expect(await names()).toEqual([]);
  });

  it('is judged by its clock of today, though one that was ahead had noted successes', async () => {
    const { clock, succeed, fail, names } = await open(database);
    clock.now += 400 * 24 * 60 * MINUTE;
    await succeed();
    await fail('1', 503);
    await fail('2', 503);
    clock.now = START;
    for (let second = 0; second < 90; second += 10) {
      clock.now += 10 * SECOND;
      for (const id of ['1', '2', '3']) await fail(id, 503);
    }
    expect(await names()).toEqual(['warehouse-failing@9104']);
  });
});
