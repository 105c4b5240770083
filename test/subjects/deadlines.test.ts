import { describe, expect, it } from 'vitest';
import { computeDeadline } from '../../activities/deadline.ts';
import type { Deadlines } from '../../activities/ports/deps.ts';
import { record } from '../../activities/record.ts';
import type { Store } from '../../src/app/store.ts';
import type { DeadlineRule } from '../../src/domain/deadlines/rule.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { recomputeDeadlines } from '../../src/subjects/deadline-pass.ts';
import { createDeadlines } from '../../src/subjects/deadlines.ts';
import { readDeadlineFacts } from '../../src/warehouse/resources/deadline-facts.ts';
import { deliver, depsOn } from '../activities/deps.ts';
import { ruleOf } from '../domain/deadlines/rules.ts';
import { describeOnEither } from '../store/databases.ts';
import { orderOf } from '../support/make.ts';

const order = orderOf('31');

const sameDay = ruleOf({ name: 'same day' });
const cancelDate = ruleOf({ name: 'cancel date', due: 'date', of: 'shipCancelDate' });

const rulesOf = (...deadlines: readonly DeadlineRule[]): Deadlines =>
  createDeadlines([{ id: '9104', deadlines }], readDeadlineFacts);

const recompute = (store: Store, deadlines: Deadlines) => recomputeDeadlines({ ...store, deadlines, computeDeadline });

const FIRST = Date.parse('2026-02-11T15:00:00Z');

let events = 0;

/** Records an event of an order, after which a GET showed a snapshot and a record. */
async function recordEvent(
  store: Store,
  deadlines: Deadlines | undefined,
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
    await recordEvent(store, undefined, 'OrderCreate', record);
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
    await recordEvent(store, undefined, 'OrderCreate', { ...(first && { id: first }), snapshot: open });
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
    await recordEvent(store, undefined, 'OrderCreate', record);
    const found = await store.deadlineRows.find(order);
    if (!found) throw new Error('the order was not recorded');
    await recordEvent(store, rulesOf(sameDay), 'OrderUpdate', record);
    const stale = { deadline: { dueAt: 1, atRiskAt: 1, because: 'stale' }, deadlineRules: 'stale' };
    expect(await store.deadlineRows.save(order, stale, found)).toBe(false);
    expect(await deadlineOf(store)).toMatch('same day');
  });
});

describe('the rules of tenants', () => {
  it('have a fingerprint of their own for each kind, which follows from all that they say', () => {
    const receipts = ruleOf({ kind: 'receipt' });
    const deadlines = createDeadlines(
      [
        { id: '1', deadlines: [sameDay, receipts] },
        { id: '2', deadlines: [{ ...sameDay, atRiskMs: 1 }] },
      ],
      readDeadlineFacts,
    );
    const of = (tenant: string, kind: 'order' | 'receipt' | 'item' = 'order') =>
      deadlines.rulesOf({ tenant, kind, id: '1' });
    expect(of('1')).toMatch(/^[\w-]{16}$/);
    expect(new Set([of('1'), of('1', 'receipt'), of('2')]).size).toBe(3);
    expect([of('2', 'receipt'), of('1', 'item'), of('3')]).toEqual(['', '', '']);
    expect(createDeadlines([{ id: '1', deadlines: [sameDay] }], readDeadlineFacts).rulesOf(order)).toBe('');
    expect(rulesOf(sameDay).rulesOf(order)).toBe(of('1'));
  });

  it('apply to every account where the only one has no id', () => {
    const deadlines = createDeadlines([{ id: undefined, deadlines: [sameDay] }], readDeadlineFacts);
    expect(deadlines.rulesOf(order)).not.toBe('');
  });
});
