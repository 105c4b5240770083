import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { leadTimesMigration } from '../../../src/store/migrations/lead-times.ts';
import { migrations } from '../../../src/store/migrations/list.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { describeOnBoth } from '../databases.ts';
import { openBare } from './bare-database.ts';

describeOnBoth('orders that were closed before lead times were kept', (database) => {
  it('have them, as far as events have told', async () => {
    const { db } = await openBare(await database.locateBlank());
    const before = Object.entries(migrations).filter(([, it]) => it !== leadTimesMigration);
    const earlier = before.slice(0, Object.values(migrations).indexOf(leadTimesMigration));
    await migrate(db, 'x', Object.fromEntries(earlier));
    const at = (milestone: string, time: number, eventId: string | null = '9104:1') => ({ milestone, time, eventId });
    const store = (id: string, kind: string, registers: object) =>
      sql`insert into subjects (tenant, kind, subject_id, stage, stage_since, revision, lifecycle, customer_id, facility_id,
          last_event_at, created_at, updated_at, facts, due_at)
        values ('9104', ${kind}, ${id}, 'confirmed', 1, 1, ${JSON.stringify({ registers })}, '418', '12', 1, 1, 1,
          ${JSON.stringify({ carrier: 'UPS' })}, 150)`.execute(db);
    const existence = at('created', 10);
    const closing = at('confirmed', 200);
    await store('1', 'order', { existence, allocation: at('fullyAllocated', 40), pick: at('picked', 30), closing });
    await store('2', 'order', { existence, closing: at('confirmed', 200, null) });
    await store('3', 'receipt', { existence, closing: at('confirmed', 100) });
    await store('4', 'adjustment', { existence, closing });
    await store('5', 'order', { existence, closing: at('unconfirmed', 200) });
    await migrate(db, 'x');
    const { rows } = await sql`select subject_id, customer_id, facility_id, carrier, closed_at, on_time, allocated_ms,
      picked_ms, packed_ms, shipped_ms, whole_ms from lead_times order by subject_id`.execute(db);
    const known = { customer_id: '418', facility_id: '12', carrier: 'UPS', packed_ms: null, shipped_ms: null };
    expect(rows).toEqual([
      { ...known, subject_id: '1', closed_at: 200, on_time: 0, allocated_ms: 30, picked_ms: 0, whole_ms: 190 },
      { ...known, subject_id: '3', closed_at: 100, on_time: 1, allocated_ms: null, picked_ms: null, whole_ms: 90 },
    ]);
  });
});
