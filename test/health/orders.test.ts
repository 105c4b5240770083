import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { openTestHealth } from './sound-machine.ts';

const START = Date.UTC(2026, 1, 11, 12);
const HOUR = 3_600_000;

/** Stores orders of an account that are due at a time. */
async function add({ db }: Store, tenant: string, count: number, dueAt: number, customer: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ tenant, kind: 'order' as const, subject_id: `${dueAt}-${index}`, stage: 'picked' as const, stage_since: 1 },
    ...{ revision: 1, lifecycle: '{}', customer_id: customer, facts: '{"customerName":"Cobalt"}' },
    ...{ last_event_at: 1, created_at: 1, updated_at: 1, due_at: dueAt, at_risk_at: dueAt - 2 * HOUR },
  }));
  for (let at = 0; at < rows.length; at += 100)
    await db
      .insertInto('subjects')
      .values(rows.slice(at, at + 100))
      .execute();
}

describeOnBoth('orders that are late', (database) => {
  it('are counted up to a limit, those of all accounts together', async () => {
    const store = await openIn(database, { now: () => START });
    await add(store, '9104', 3, START - 2 * HOUR, '418');
    await add(store, '9105', 2100, START - HOUR, '420');
    await add(store, '9105', 2, START + HOUR, '420');
    await add(store, '9104', 2100, START + 5 * HOUR, '418');
    const found = await openTestHealth(store).whole.open();
    expect(found.at(-1)?.because).toBe(`${START + HOUR}-0, ${START + HOUR}-1`);
    expect(found.map(({ condition, place, title, isMore }) => [condition, place, title, isMore])).toEqual([
      ['overdue', '9105', '1,997 or more orders of warehouse 9105 are overdue (Cobalt 1,997)', true],
      ['overdue', '9104', '3 or more orders of warehouse 9104 are overdue (Cobalt 3)', true],
      ['at-risk', '9105', "2 or more orders of warehouse 9105 may miss today's 1:00 PM UTC truck (Cobalt 2)", true],
    ]);
  });

  it('are named once more half an hour before their truck leaves only if others will miss it', async () => {
    const clock = { now: START };
    const store = await openIn(database, { now: () => clock.now });
    await add(store, '9104', 2, START + HOUR, '418');
    const find = async () =>
      (await openTestHealth(store).whole.open()).find(({ condition }) => condition === 'at-risk');
    const first = await find();
    clock.now = START + 0.6 * HOUR;
    const lastCall = await find();
    expect(lastCall?.sort).not.toBe(first?.sort);
    expect(lastCall?.named).toBe(first?.named);
    await add(store, '9104', 1, START + HOUR + 1, '418');
    expect((await find())?.named).not.toBe(first?.named);
  });
});
