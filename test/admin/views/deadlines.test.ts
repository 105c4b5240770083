import { expect, it } from 'vitest';
import { describeOnBoth, type TestDatabase } from '../../store/databases.ts';
import { lifecycleAt, order, recordAs } from '../../store/recordings.ts';
import { openAdmin } from '../open-admin.ts';

const HOUR_MS = 3_600_000;

const closing = { closing: { milestone: 'confirmed', time: 1, eventId: null } } as const;

/** Opens the API over orders that are due some hours from now. */
async function openWith(database: TestDatabase) {
  const store = await database.openEmpty();
  const now = Date.now();
  const recordDue = (id: string, hours: number, rest = {}) => {
    const dueAt = now + hours * HOUR_MS;
    const deadline = { dueAt, atRiskAt: dueAt - 2 * HOUR_MS, because: 'same day: created' };
    return recordAs(store, { ...order, id }, { deadline, deadlineRules: 'any', ...rest });
  };
  await recordDue('1', 9);
  await recordDue('2', -3);
  await recordDue('3', 1);
  await recordDue('4', -3);
  await recordDue('5', -8, { lifecycle: lifecycleAt(1, { registers: closing }) });
  await recordAs(store, { ...order, id: '6' });
  const { get, url } = await openAdmin({ store });
  const idsOf = async (query: string) => {
    const { items } = (await get(`/subjects?${query}`)).body as { items: readonly { id: string }[] };
    return items.map(({ id }) => id);
  };
  const page = async (path: string) => await (await fetch(url + path)).text();
  return { get, page, idsOf, now };
}

describeOnBoth('deadlines', (database) => {
  it('sort the open ones that have one, page by page', async () => {
    const { get, idsOf } = await openWith(database);
    expect(await idsOf('sort=due')).toEqual(['2', '4', '3', '1']);
    const { next } = (await get('/subjects?sort=due&limit=1')).body as { next: string };
    expect(await idsOf(`sort=due&limit=2&after=${next}`)).toEqual(['4', '3']);
  });

  it('tell what is overdue and what is at risk', async () => {
    const { idsOf } = await openWith(database);
    expect(await idsOf('due=overdue')).toEqual(['2', '4']);
    expect(await idsOf('due=atRisk')).toEqual(['3']);
    expect(await idsOf('due=overdue&customer=none')).toEqual([]);
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

  it('are on the board', async () => {
    const { page } = await openWith(database);
    expect(await page('/board/subjects/9104/order/3')).toContain('same day: created');
    const overdue = await page('/board/subjects?due=overdue');
    expect(overdue).toContain('All that are open and overdue, those that are due first.');
    expect(overdue).not.toContain('/bulk');
  });
});
