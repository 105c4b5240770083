import { expect, it } from 'vitest';
import { readTrucks } from '../../../src/health/views/now/trucks.ts';
import { countShippedLate } from '../../../src/subjects/tables/counts.ts';
import { openAdmin } from '../../admin/open-admin.ts';
import { describeOnEither, type TestDatabase } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { deadlineAt, lifecycleAt, order, orderOf, reached } from '../../support/make.ts';

const HOUR_MS = 3_600_000;

const closing = reached('confirmed');

/** Opens the API over orders that are due some hours from now. */
async function openWith(database: TestDatabase) {
  const store = await database.openEmpty();
  const now = Date.now();
  const recordDue = (id: string, hours: number, rest: Parameters<typeof recordAs>[2] = {}) =>
    recordAs(store, orderOf(id), {
      deadline: deadlineAt(now + hours * HOUR_MS, 'same day: created'),
      deadlineRules: 'any',
      ...rest,
    });
  await recordDue('1', 9);
  await recordDue('2', -3);
  await recordDue('3', 1);
  await recordDue('4', -3);
  await recordDue('5', -8, { lifecycle: lifecycleAt(1, { registers: closing }) });
  await recordAs(store, orderOf('6'));
  const { get, url } = await openAdmin({ store });
  const page = async (path: string) => await (await fetch(url + path)).text();
  return { store, get, page, now, recordDue };
}

describeOnEither('deadlines', (database) => {
  it('are counted by the status', async () => {
    const { get } = await openWith(database);
    expect((await get('/status')).body).toMatchObject({
      due: { overdue: 2, willMiss: 0, atRisk: 1, soon: 2 },
    });
  });

  it('are shown with each subject', async () => {
    const { get, now } = await openWith(database);
    const dueAt = new Date(now - 8 * HOUR_MS).toISOString();
    expect((await get('/subjects/9104/order/5')).body).toMatchObject({ dueAt, dueBecause: 'same day: created' });
    expect((await get('/subjects/9104/order/6')).body).toMatchObject({ dueAt: null, outlook: null, dueBecause: null });
    expect((await get('/subjects/9104/order/3')).body).toMatchObject({ outlook: 'atRisk', forecast: null });
  });

  it.each(['due=late', 'due=overdue&after=order:9104:1'])('refuse %s', async (query) => {
    const { get } = await openWith(database);
    expect((await get(`/subjects?${query}`)).status).toBe(400);
  });

  it('are the trucks of the first page, with what is missing to ship and for whom', async () => {
    const { store, page, now, recordDue } = await openWith(database);
    const packed = lifecycleAt(1, { registers: reached('packed') });
    const facts = { customerName: 'Acme Outdoor', carrier: 'UPS' };
    await recordDue('7', 1.5, { lifecycle: packed, customerId: '418', facts });
    await recordDue('8', 5, { customerId: '418', facts });
    await recordDue('9', 30, { customerId: '418', facts });
    const shipped = lifecycleAt(1, { registers: closing, lastEventTime: now - HOUR_MS });
    await recordDue('11', -2, { lifecycle: shipped, stageSince: now });
    await recordDue('12', 2, { lifecycle: shipped, stageSince: now });
    await recordDue('13', -0.5, { lifecycle: shipped, stageSince: now });

    expect(await countShippedLate(store.reads, now - 24 * HOUR_MS)).toMatchObject({ count: 1, isMore: false });
    const { trucks } = await readTrucks(store.reads, now);
    expect(trucks).toEqual([
      {
        dueAt: null,
        carrier: null,
        zone: null,
        pick: 2,
        pack: 0,
        ship: 0,
        customers: [{ name: 'not known', count: 2 }],
        ...{ willMiss: 0, atRisk: 0 },
      },
      ...[
        [1, null, 'not known', { pick: 1, pack: 0, ship: 0 }, 1],
        [1.5, 'UPS', 'Acme Outdoor', { pick: 0, pack: 0, ship: 1 }, 1],
        [5, 'UPS', 'Acme Outdoor', { pick: 1, pack: 0, ship: 0 }, 0],
        [9, null, 'not known', { pick: 1, pack: 0, ship: 0 }, 0],
      ].map(([hours, carrier, name, counts, atRisk]) => ({
        ...{ dueAt: now + Number(hours) * HOUR_MS, carrier, zone: null, ...(counts as object) },
        ...{ customers: [{ name, count: 1 }], willMiss: 0, atRisk },
      })),
    ]);
    const first = await page('/board');
    expect(first).toContain('Today\'s trucks <span class="count">5</span>');
    expect(first).toContain('3 shipped in 24 hours, 1 late');
    expect(first).toContain('Acme Outdoor');
  });

  it('say in the zone of the facility which orders of a truck will miss it and why, those first', async () => {
    const { store, get, page, now } = await openWith(database);
    const dueAt = now + 1.5 * HOUR_MS;
    const zoned = { dueAt, ruleAt: dueAt - 2 * HOUR_MS, because: 'same day: created', timeZone: 'America/Chicago' };
    const notified = { expectedAt: now + 3 * HOUR_MS, earliest: dueAt, latest: now + 4 * HOUR_MS, changes: 1 };
    const forecast = { ...notified, step: 'pack', ahead: 31, comparable: 64, usualMs: HOUR_MS, slowdown: 1 } as const;
    const add = (id: string, deadline: { readonly atRiskAt: number; readonly forecast?: typeof forecast }) =>
      recordAs(store, orderOf(id), { deadline: { ...zoned, ...deadline }, facts: { carrier: 'UPS' } });
    await add('31', { atRiskAt: dueAt, forecast: { ...forecast, changes: 0 } });
    await add('32', { atRiskAt: now - 1, forecast });
    await add('33', { atRiskAt: now - 2 });
    const truck = `dueAt=${new Date(dueAt).toISOString()}`;
    const { items } = (await get(`/subjects?${truck}`)).body as { items: { id: string; outlook: string }[] };
    expect(items.map(({ id, outlook }) => [id, outlook])).toEqual([
      ['32', 'willMiss'],
      ['33', 'atRisk'],
      ['31', 'onTime'],
    ]);
    const list = await page(`/board/subjects?${truck}`);
    expect(list).toMatch(
      /will miss, due in[\s\S]*expected [\s\S]*C[SD]T<\/span>: waits for packing with 31 orders ahead/,
    );
    const first = await page('/board');
    expect(first).toContain('Times of America/Chicago.');
    expect(first).toMatch(/due=willMiss[\s\S]*1 at risk/);
  });

  it('are left out of the first page where nothing has one', async () => {
    const store = await database.openEmpty();
    await recordAs(store, order);
    const { url } = await openAdmin({ store });
    expect(await (await fetch(`${url}/board`)).text()).not.toContain("Today's trucks");
  });

  it('say of what has shipped whether it was on time, and no longer when it is due', async () => {
    const { page, now, recordDue } = await openWith(database);
    const ship = (id: string, hours: number, shippedAt: number) =>
      recordDue(id, hours, {
        lifecycle: lifecycleAt(1, { registers: closing, lastEventTime: shippedAt }),
        stageSince: shippedAt,
      });
    await ship('21', 1, now - HOUR_MS);
    await ship('22', -2, now - HOUR_MS);
    const [early, late, open] = await Promise.all(
      ['21', '22', '3'].map((id) => page(`/board/subjects/9104/order/${id}`)),
    );
    expect(early).toContain('on time, shipped 2 h before');
    expect(late).toContain('shipped 1 h late');
    expect(early).not.toMatch(/in <time|in \d+ (h|min)/);
    expect(open).toMatch(/in .*5\d min/);
  });

  it('are on the board', async () => {
    const { page } = await openWith(database);
    expect(await page('/board/subjects/9104/order/3')).toContain('same day: created');
    expect(await page('/board/subjects?due=overdue')).toMatch(/overdue by <time/);
  });
});
