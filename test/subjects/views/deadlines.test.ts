import { expect, it } from 'vitest';
import { readPace } from '../../../src/health/views/now/pace.ts';
import { countShipped } from '../../../src/health/views/now/shipped.ts';
import { readTrucks } from '../../../src/health/views/now/trucks.ts';
import { openAdmin } from '../../admin/open-admin.ts';
import { describeOnEither, type TestDatabase } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { lifecycleAt, order, orderOf, reached } from '../../support/make.ts';

const HOUR_MS = 3_600_000;

const closing = reached('confirmed');

/** Opens the API over orders that are due some hours from now. */
async function openWith(database: TestDatabase) {
  const store = await database.openEmpty();
  const now = Date.now();
  const recordDue = (id: string, hours: number, rest = {}) => {
    const dueAt = now + hours * HOUR_MS;
    const deadline = { dueAt, atRiskAt: dueAt - 2 * HOUR_MS, because: 'same day: created' };
    return recordAs(store, orderOf(id), { deadline, deadlineRules: 'any', ...rest });
  };
  await recordDue('1', 9);
  await recordDue('2', -3);
  await recordDue('3', 1);
  await recordDue('4', -3);
  await recordDue('5', -8, { lifecycle: lifecycleAt(1, { registers: closing }) });
  await recordAs(store, orderOf('6'));
  const { get, url } = await openAdmin({ store });
  const page = async (path: string) => await (await fetch(url + path)).text();
  return { store, get, page, now };
}

describeOnEither('deadlines', (database) => {
  it('are counted by the status', async () => {
    const { get } = await openWith(database);
    expect((await get('/status')).body).toMatchObject({ due: { overdue: 2, atRisk: 1, soon: 1 } });
  });

  it('are shown with each subject', async () => {
    const { get, now } = await openWith(database);
    const dueAt = new Date(now - 8 * HOUR_MS).toISOString();
    expect((await get('/subjects/9104/order/5')).body).toMatchObject({ dueAt, dueBecause: 'same day: created' });
    expect((await get('/subjects/9104/order/6')).body).toMatchObject({ dueAt: null, atRiskAt: null, dueBecause: null });
  });

  it.each(['due=late', 'due=overdue&sort=oldest', 'sort=due&after=order:9104:1'])('refuse %s', async (query) => {
    const { get } = await openWith(database);
    expect((await get(`/subjects?${query}`)).status).toBe(400);
  });

  it('are the trucks of the first page, with what is missing to ship and for whom', async () => {
    const { store, page, now } = await openWith(database);
    const due = (id: string, hours: number, rest: Parameters<typeof recordAs>[2]) => {
      const dueAt = now + hours * HOUR_MS;
      const deadline = { dueAt, atRiskAt: dueAt - 2 * HOUR_MS, because: 'same day: created' };
      return recordAs(store, orderOf(id), { deadline, ...rest });
    };
    const packed = lifecycleAt(1, { registers: reached('packed') });
    const facts = { customerName: 'Acme Outdoor', carrier: 'UPS' };
    await due('7', 1.5, { lifecycle: packed, customerId: '418', facts });
    await due('8', 5, { customerId: '418', facts });
    await due('9', 30, { customerId: '418', facts });
    const shipped = lifecycleAt(1, { registers: closing, lastEventTime: now - HOUR_MS });
    await due('11', -2, { lifecycle: shipped, stageSince: now });
    await due('12', 2, { lifecycle: shipped, stageSince: now });
    await due('13', -0.5, { lifecycle: shipped, stageSince: now });

    expect(await countShipped(store.reads, now)).toEqual({ count: 3, late: 1 });
    const { trucks } = await readTrucks(store.reads, await readPace(store.reads, now), now);
    expect(trucks).toEqual([
      {
        dueAt: null,
        carrier: null,
        pick: 2,
        pack: 0,
        ship: 0,
        customers: [{ name: 'not known', count: 2 }],
        misses: 2,
      },
      ...[
        [1, null, 'not known', { pick: 1, pack: 0, ship: 0 }, 0],
        [1.5, 'UPS', 'Acme Outdoor', { pick: 0, pack: 0, ship: 1 }, null],
        [5, 'UPS', 'Acme Outdoor', { pick: 1, pack: 0, ship: 0 }, null],
        [9, null, 'not known', { pick: 1, pack: 0, ship: 0 }, 0],
      ].map(([hours, carrier, name, counts, misses]) => ({
        ...{ dueAt: now + Number(hours) * HOUR_MS, carrier, ...(counts as object) },
        ...{ customers: [{ name, count: 1 }], misses },
      })),
    ]);
    const first = await page('/board');
    expect(first).toContain("Today's trucks");
    expect(first).toContain('3 shipped in 24 hours, 1 late');
    expect(first).toContain('Acme Outdoor');
  });

  it('are left out of the first page where nothing has one', async () => {
    const store = await database.openEmpty();
    await recordAs(store, order);
    const { url } = await openAdmin({ store });
    expect(await (await fetch(`${url}/board`)).text()).not.toContain("Today's trucks");
  });

  it('are on the board', async () => {
    const { page } = await openWith(database);
    expect(await page('/board/subjects/9104/order/3')).toContain('same day: created');
    const overdue = await page('/board/subjects?due=overdue');
    expect(overdue).toContain('All that are open and overdue, those that are due first.');
  });
});
