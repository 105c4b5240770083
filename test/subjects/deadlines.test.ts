import { describe, expect, it } from 'vitest';
import { record } from '../../activities/record.ts';
import type { Store } from '../../src/app/store.ts';
import type { Forecast } from '../../src/domain/deadlines/forecast.ts';
import type { DeadlineRule } from '../../src/domain/deadlines/rule.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { createDeadlines, createPass, type Deadlines } from '../../src/subjects/deadlines.ts';
import { deadlineColumns, deadlineIn, toDeadlineColumns } from '../../src/subjects/tables/deadlines.ts';
import { deliver, depsOn } from '../activities/deps.ts';
import { ruleOf } from '../domain/deadlines/rules.ts';
import { describeOnEither } from '../store/databases.ts';
import { orderOf } from '../support/make.ts';

const order = orderOf('31');

const sameDay = ruleOf({ name: 'same day' });
const cancelDate = ruleOf({ name: 'cancel date', due: 'date', of: 'shipCancelDate' });

const rulesOf = (...deadlines: readonly DeadlineRule[]): Deadlines => createDeadlines([{ id: '9104', deadlines }]);

const recompute = (store: Store, deadlines: Deadlines) => createPass({ ...store, deadlines })(Date.now());

const FIRST = Date.parse('2026-02-11T15:00:00Z');

let events = 0;

/** Records an event of an order, after which a GET showed a snapshot and a record. */
async function recordEvent(
  store: Store,
  deadlines: Deadlines,
  name: string,
  { snapshot = null, body, id = order.id }: { snapshot?: Snapshot | null; body?: object; id?: string } = {},
): Promise<void> {
  const subject = { ...order, id };
  events += 1;
  const eventIds = await deliver(store, subject, { id: `9104:${events}`, name, time: FIRST + events });
  if (body) await store.resources.put('9104', 'order', id, JSON.stringify(body));
  const retrieved = { eventIds, snapshot, refused: [], calls: [] };
  await record(depsOn(store, { deadlines }), { subject, known: null, eventIds, retrieved });
}

/** Returns when an order is due by what the store has, with the name of the rule. */
async function deadlineOf({ db }: Store, id: string = order.id) {
  const row = await db
    .selectFrom('subjects')
    .select(['due_at', 'at_risk_at', 'due_because', 'due_rules'])
    .where('subject_id', '=', id)
    .executeTakeFirstOrThrow();
  if (row.due_at === null) return null;
  expect(row.at_risk_at).toBe(row.due_at - 7_200_000);
  return `${new Date(row.due_at).toISOString()} ${row.due_because?.split(':')[0]}`;
}

const open: Snapshot = { status: 'open', customerId: '418' };

describeOnEither('the deadline of an order', (database) => {
  it('is computed with what is recorded, and moves with its record', async () => {
    const store = await database.openEmpty();
    const rules = rulesOf(cancelDate, sameDay);
    await recordEvent(store, rules, 'OrderCreate');
    expect(await deadlineOf(store)).toBe('2026-02-11T23:00:00.000Z same day');
    await recordEvent(store, rules, 'OrderUpdate', { snapshot: open, body: { shipCancelDate: '2026-02-13' } });
    expect(await deadlineOf(store)).toBe('2026-02-13T23:00:00.000Z cancel date');
    await recordEvent(store, rules, 'OrderUpdate', { snapshot: open, body: { shipCancelDate: '2026-02-16' } });
    expect(await deadlineOf(store)).toBe('2026-02-16T23:00:00.000Z cancel date');
    await recordEvent(store, rules, 'OrderUpdate', { snapshot: open, body: { shipCancelDate: 'soon' } });
    expect(await deadlineOf(store)).toBe('2026-02-11T23:00:00.000Z same day');
  });

  it('is absent while nothing says when it was created', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, rulesOf(sameDay), 'OrderUpdate');
    expect(await deadlineOf(store)).toBeNull();
    await recordEvent(store, rulesOf(sameDay), 'OrderCreate');
    expect(await deadlineOf(store)).toMatch('same day');
  });

  it('does not depend on the order in which events come, or on one that comes twice', async () => {
    const store = await database.openEmpty();
    const [created] = await deliver(store, order, { id: '9104:c', name: 'OrderCreate', time: FIRST });
    const [updated] = await deliver(store, order, { id: '9104:u', name: 'OrderComplete', time: FIRST + 9 });
    const deps = depsOn(store, { deadlines: rulesOf(sameDay) });
    for (const eventIds of [[updated], [created], [created, updated]])
      await record(deps, { subject: order, known: null, eventIds: eventIds.flatMap((id) => id ?? []) });
    expect(await deadlineOf(store)).toBe('2026-02-11T23:00:00.000Z same day');
  });

  it('stays once the order is closed, and counts again when it is reopened', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, rulesOf(sameDay), 'OrderCreate', { snapshot: open, body: {} });
    await recordEvent(store, rulesOf(sameDay), 'OrderConfirm', { snapshot: { ...open, status: 'closed' } });
    const later = { snapshot: { ...open, status: 'closed' }, body: { shipCancelDate: '2026-02-13' } } as const;
    await recordEvent(store, rulesOf(cancelDate), 'OrderUpdate', later);
    expect(await deadlineOf(store)).toBe('2026-02-11T23:00:00.000Z same day');
    expect(await recompute(store, rulesOf(cancelDate))).toBe(0);
    await recordEvent(store, rulesOf(cancelDate), 'OrderUnconfirm', { snapshot: open });
    expect(await deadlineOf(store)).toBe('2026-02-13T23:00:00.000Z cancel date');
  });

  it('is computed for an order that was closed before anything else was known', async () => {
    const store = await database.openEmpty();
    const closed = { snapshot: { ...open, status: 'closed' }, body: { shipCancelDate: '2026-02-13' } } as const;
    await recordEvent(store, rulesOf(cancelDate), 'OrderConfirm', closed);
    expect(await deadlineOf(store)).toBe('2026-02-13T23:00:00.000Z cancel date');
  });

  it('is not computed from a record that is no JSON', async () => {
    const store = await database.openEmpty();
    await store.resources.put('9104', 'order', '31', '{"shipCancelDate":');
    await recordEvent(store, rulesOf(cancelDate, sameDay), 'OrderCreate', { snapshot: open });
    expect(await deadlineOf(store)).toBe('2026-02-11T23:00:00.000Z same day');
  });
});

describeOnEither('rules that have changed', (database) => {
  const record = { snapshot: open, body: { shipCancelDate: '2026-02-13' } };

  it('apply to orders under way', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, rulesOf(), 'OrderCreate', record);
    expect(await deadlineOf(store)).toBeNull();
    const pass = (deadlines: Deadlines) => recompute(store, deadlines);
    expect(await pass(rulesOf(cancelDate))).toBe(1);
    expect(await deadlineOf(store)).toBe('2026-02-13T23:00:00.000Z cancel date');
    expect(await pass(rulesOf(cancelDate))).toBe(0);
    const holidays = { ...sameDay, calendar: { ...sameDay.calendar, holidays: ['2026-02-11', '2026-02-12'] } };
    expect(await pass(rulesOf(holidays))).toBe(1);
    expect(await deadlineOf(store)).toBe('2026-02-13T23:00:00.000Z same day');
    expect(await pass(rulesOf(ruleOf({ kind: 'receipt' })))).toBe(1);
    expect(await deadlineOf(store)).toBeNull();
    expect(await pass(rulesOf())).toBe(0);
  });

  it('leave the deadline of an order whose record is not stored any more, until it is fetched again', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, rulesOf(cancelDate), 'OrderCreate', record);
    await store.db.deleteFrom('resources').execute();
    expect(await recompute(store, rulesOf(sameDay))).toBe(1);
    expect(await deadlineOf(store)).toBe('2026-02-13T23:00:00.000Z cancel date');
    expect(await recompute(store, rulesOf(sameDay))).toBe(0);
    await recordEvent(store, rulesOf(sameDay), 'OrderUpdate', record);
    expect(await deadlineOf(store)).toBe('2026-02-11T23:00:00.000Z same day');
  });

  it('reach all of many orders, whichever of several processes is there first', async () => {
    const store = await database.openEmpty();
    const ids = Array.from({ length: 1203 }, (_, n) => String(n + 1));
    const [first, ...others] = ids;
    await recordEvent(store, rulesOf(), 'OrderCreate', { ...(first && { id: first }), snapshot: open });
    const row = await store.db
      .selectFrom('subjects')
      .select(['tenant', 'kind', 'stage', 'stage_since', 'revision', 'lifecycle', 'last_event_at'])
      .select(['created_at', 'updated_at'])
      .executeTakeFirstOrThrow();
    const lifecycle = JSON.stringify({ ...JSON.parse(row.lifecycle), snapshot: null });
    const rows = others.map((subject_id) => ({ ...row, subject_id, lifecycle }));
    await store.db.insertInto('subjects').values(rows).execute();
    await store.db.updateTable('subjects').set({ lifecycle }).execute();
    const passes = Array.from({ length: 3 }, () => recompute(store, rulesOf(sameDay)));
    const saved = await Promise.all(passes);
    expect(saved.reduce((sum, count) => sum + count)).toBe(ids.length);
    const due = await store.db.selectFrom('subjects').select('due_at').distinct().execute();
    expect(due).toEqual([{ due_at: Date.parse('2026-02-11T23:00:00Z') }]);
  });

  it('do not replace what was recorded meanwhile', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, rulesOf(), 'OrderCreate', record);
    let recording: Promise<void> | undefined;
    await store.subjects.recompute(order, async () => {
      recording = recordEvent(store, rulesOf(sameDay), 'OrderUpdate', record);
      await new Promise(setImmediate);
      return { deadline: { dueAt: 1, atRiskAt: 1, ruleAt: 1, because: 'stale' }, deadlineRules: 'stale' };
    });
    await recording;
    expect(await deadlineOf(store)).toMatch('same day');
  });
});

describe('the rules of tenants', () => {
  it('have a fingerprint of their own for each kind, which follows from all that they say', () => {
    const receipts = ruleOf({ kind: 'receipt' });
    const deadlines = createDeadlines([
      { id: '1', deadlines: [sameDay, receipts] },
      { id: '2', deadlines: [{ ...sameDay, atRiskMs: 1 }] },
    ]);
    const of = (tenant: string, kind: 'order' | 'receipt' | 'item' = 'order') => deadlines.rulesOf({ tenant, kind });
    expect(of('1')).toMatch(/^[\w-]{16}$/);
    expect(new Set([of('1'), of('1', 'receipt'), of('2')]).size).toBe(3);
    expect([of('2', 'receipt'), of('1', 'item'), of('3')]).toEqual(['', '', '']);
    expect(createDeadlines([{ id: '1', deadlines: [sameDay] }]).rulesOf(order)).toBe('');
    expect(rulesOf(sameDay).rulesOf(order)).toBe(of('1'));
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Stores orders of three weeks, one every ten minutes, each of which was shipped two hours after it was created. */
async function addShipped({ db }: Store, now: number): Promise<void> {
  const rows = Array.from({ length: 3000 }, (_, n) => {
    const at = now - n * 600_000;
    const waited = { allocate: at - 2 * HOUR, pick: at - HOUR, pack: at - 2_400_000, ship: at - 1_200_000 };
    return {
      ...{ tenant: '9104', kind: 'order' as const, subject_id: `s${n}`, sample: n % 64 },
      ...{ closed_at: at, due_at: at + 2 * HOUR, waited: JSON.stringify(waited) },
    };
  });
  for (let from = 0; from < rows.length; from += 1000)
    await db
      .insertInto('lead_times')
      .values(rows.slice(from, from + 1000))
      .execute();
}

/** Stores an open order that its rule calls at risk two hours before it is due. */
async function addOpen({ db }: Store, id: string, dueAt: number, now: number): Promise<void> {
  await db
    .insertInto('subjects')
    .values({
      ...{ tenant: '9104', kind: 'order', subject_id: id, stage: 'created', stage_since: now - 300_000, revision: 1 },
      ...{ lifecycle: JSON.stringify(unknownLifecycle), last_event_at: 1, created_at: 1, updated_at: 1 },
      ...{ due_at: dueAt, due_because: 'same day: created', due_rules: rules },
      ...{ at_risk_at: dueAt - 2 * HOUR, rule_at: dueAt - 2 * HOUR },
    })
    .execute();
}

const sameDayRules = rulesOf(sameDay);
const rules = sameDayRules.rulesOf(order);

describeOnEither('the forecast of an open order', (database) => {
  async function rowOf({ db }: Store, id: string) {
    const row = await db
      .selectFrom('subjects')
      .select(deadlineColumns)
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow();
    return { ...row, notified: deadlineIn(row).deadline };
  }

  const passOn = (store: Store) => createPass({ ...store, deadlines: sameDayRules });

  it('replaces the fixed time, and its workflow is woken when that turns', async () => {
    const store = await database.openEmpty();
    const now = Date.parse('2026-02-23T12:00:00Z');
    await addShipped(store, now);
    // Its rule would tell it already, though it is in time; the other one it would tell in half an hour.
    await addOpen(store, '1', now + 1.9 * HOUR + 5 * HOUR, now);
    await addOpen(store, '2', now + HOUR / 2, now);
    await addOpen(store, '3', now - HOUR, now);
    const pass = passOn(store);
    await pass(now);
    const [early, late, overdue] = await Promise.all(['1', '2', '3'].map((id) => rowOf(store, id)));
    expect(early).toMatchObject({ at_risk_at: early?.due_at, late_at: early?.due_at });
    const { expectedAt, ahead, comparable, ...notified } = early?.notified?.forecast ?? ({} as Forecast);
    expect(expectedAt).toBeGreaterThan(now + HOUR);
    expect(expectedAt).toBeLessThan(now + 3 * HOUR);
    expect(comparable).toBeGreaterThanOrEqual(30);
    expect({ ahead, ...notified }).toMatchObject({ ahead: 2, step: 'allocate', changes: 0 });
    expect(early?.rule_at).toBe((early?.due_at ?? 0) - 2 * HOUR);
    // The rule had told it before anything was known, so that nothing changes.
    expect(late).toMatchObject({ at_risk_at: (late?.due_at ?? 0) - 2 * HOUR });
    expect(late?.notified).toMatchObject({ forecast: { changes: 1 }, notifiedAt: (late?.due_at ?? 0) - 2 * HOUR });
    expect(overdue?.forecast).toBeNull();

    // More orders come first than the warehouse usually ships in that time.
    for (let n = 0; n < 200; n += 1) await addOpen(store, `before-${n}`, now + HOUR, now);
    const later = now + 600_000;
    await pass(later);
    expect(await rowOf(store, '1')).toMatchObject({ at_risk_at: later, late_at: later });
    expect((await rowOf(store, '1')).notified).toMatchObject({ notifiedAt: later, forecast: { changes: 1 } });
  });

  it('is announced when it turns, with when the order is expected and why, and when it is taken back', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, sameDayRules, 'OrderCreate', { snapshot: open, body: { shipCancelDate: '2026-02-13' } });
    const now = Date.now();
    const notified = {
      expectedAt: now + 2 * HOUR,
      earliest: now + HOUR,
      latest: now + 3 * HOUR,
      step: 'pack',
      ahead: 31,
    } as const;
    const rest = { comparable: 64, usualMs: 2 * HOUR, slowdown: 1.4, changes: 1 };
    const turn = async (atRiskAt: number) => {
      const forecast = { ...notified, ...rest };
      const known = { dueAt: now + HOUR, atRiskAt, ruleAt: now, notifiedAt: now - 1, because: 'same day', forecast };
      await store.db
        .updateTable('subjects')
        .set(toDeadlineColumns({ deadline: known, deadlineRules: rules }))
        .execute();
      // Its rules are those of before, so that the deadline stays.
      const deadlines = {
        ...sameDayRules,
        find: () => ({ dueAt: now + HOUR, atRiskAt: now, ruleAt: now, because: 'same day' }),
      };
      await record(depsOn(store, { deadlines }), { subject: order, known: null, eventIds: [] });
      const { body } = await store.db
        .selectFrom('announcements')
        .select('body')
        .orderBy('revision', 'desc')
        .executeTakeFirstOrThrow();
      return JSON.parse(Buffer.from(body).toString()).data;
    };
    const { milestone, deadline } = await turn(now - 1);
    expect(milestone).toBe('atRisk');
    expect(deadline.forecast).toEqual({
      expectedAt: new Date(notified.expectedAt).toISOString(),
      earliest: new Date(notified.earliest).toISOString(),
      latest: new Date(notified.latest).toISOString(),
      because:
        'it waits for packing with 31 orders ahead; 64 orders like it shipped 2 h 0 min later, and today takes 1.4 times as long',
    });
    const back = await turn(now + HOUR);
    expect(back.milestone).toBe('recovered');
    expect(back.deadline.forecast).toBeUndefined();
  });

  it('takes back what only the rule had told', async () => {
    const store = await database.openEmpty();
    const now = Date.parse('2026-02-23T12:00:00Z');
    await addShipped(store, now);
    await addOpen(store, '1', now + 8 * HOUR, now);
    await store.db
      .updateTable('subjects')
      .set({ at_risk_at: now - 1 })
      .execute();
    await passOn(store)(now);
    const { at_risk_at, late_at, due_at, notified } = await rowOf(store, '1');
    expect({ at_risk_at, late_at }).toEqual({ at_risk_at: due_at, late_at: now });
    expect(notified).toMatchObject({ forecast: { changes: 2 }, notifiedAt: now - 1, ruleAt: now + 6 * HOUR });
  });

  it('is not made from a past of less than two weeks: the fixed time stays', async () => {
    const store = await database.openEmpty();
    const now = Date.parse('2026-02-23T12:00:00Z');
    await addShipped(store, now);
    await store.db
      .deleteFrom('lead_times')
      .where('closed_at', '<', now - 13 * DAY)
      .execute();
    await addOpen(store, '1', now + 5 * HOUR, now);
    await passOn(store)(now);
    expect(await rowOf(store, '1')).toMatchObject({ at_risk_at: now + 3 * HOUR, late_at: null, forecast: null });
  });

  it('is not saved again while it hardly moves', async () => {
    const store = await database.openEmpty();
    const now = Date.parse('2026-02-23T12:00:00Z');
    await addShipped(store, now);
    await addOpen(store, '1', now + 8 * HOUR, now);
    const pass = passOn(store);
    await pass(now);
    const before = await rowOf(store, '1');
    await pass(now + 60_000);
    expect(await rowOf(store, '1')).toEqual(before);
  });

  it('stays when the order is recorded, until it is due at another time', async () => {
    const store = await database.openEmpty();
    await recordEvent(store, sameDayRules, 'OrderCreate', { snapshot: open, body: { shipCancelDate: '2026-02-13' } });
    const notified = {
      expectedAt: 5,
      earliest: 4,
      latest: 6,
      step: 'pick',
      ahead: 1,
      comparable: 30,
      usualMs: 1,
      slowdown: 1,
    } as const;
    const { due_at: dueAt } = await rowOf(store, order.id);
    const forecast = { ...notified, changes: 1 };
    const known = { dueAt: dueAt ?? 0, atRiskAt: 3, ruleAt: 1, notifiedAt: 3, because: 'another rule', forecast };
    await store.db
      .updateTable('subjects')
      .set(toDeadlineColumns({ deadline: known, deadlineRules: rules }))
      .execute();
    await recordEvent(store, sameDayRules, 'OrderUpdate', { snapshot: open, body: { shipCancelDate: '2026-02-13' } });
    const kept = await rowOf(store, order.id);
    expect(kept.at_risk_at).toBe(3);
    expect(kept.notified).toMatchObject({
      forecast: notified,
      notifiedAt: 3,
      ruleAt: (kept.due_at ?? 0) - 2 * HOUR,
    });
    await recordEvent(store, rulesOf(cancelDate), 'OrderUpdate', {
      snapshot: open,
      body: { shipCancelDate: '2026-02-13' },
    });
    expect((await rowOf(store, order.id)).notified?.forecast).toBeUndefined();
  });

  it('comes before anything is told of a new order, so that nothing is taken back at once', async () => {
    const store = await database.openEmpty();
    const now = Date.now();
    await addShipped(store, now);
    // Its rule would tell it at once.
    const deadlines = {
      ...sameDayRules,
      find: () => ({ dueAt: now + 6 * HOUR, atRiskAt: now - 1, ruleAt: now - 1, because: 'same day' }),
    };
    const note = async () => {
      const { standing } = await record(depsOn(store, { deadlines }), { subject: order, known: null, eventIds: [] });
      return standing;
    };
    const [created] = await deliver(store, order, { id: '9104:n', name: 'OrderCreate', time: now });
    await record(depsOn(store, { deadlines }), { subject: order, known: null, eventIds: [created ?? ''] });
    expect(await note()).toMatchObject({ lateAt: expect.any(Number) });
    await passOn(store)(now + 60_000);
    expect(await note()).toMatchObject({ lateAt: now + 6 * HOUR });
    const notified = await store.db.selectFrom('announcements').select('body').execute();
    expect(notified.map(({ body }) => JSON.parse(Buffer.from(body).toString()).type)).toEqual([
      'dockline.order.created',
    ]);
  });
});
