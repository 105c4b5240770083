import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/app/store.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import { createPass } from '../../src/subjects/deadline-pass.ts';
import { createDeadlines } from '../../src/subjects/deadlines.ts';
import { ruleOf } from '../../test/domain/deadlines/rules.ts';
import { HOUR_MS, MINUTE_MS, simulateMonth } from './month.ts';

const OPEN = 10_000;
const PASSES = 24;

const folder = mkdtempSync(join(tmpdir(), 'dockline-pass-'));
const store = await openStore({ file: join(folder, 'store.sqlite') });
const deadlines = createDeadlines([{ id: '9104', deadlines: [ruleOf()] }]);
const now = Date.now();
const { orders } = simulateMonth({ days: 42, seed: 1 });
const last = Math.max(...orders.map(({ shippedAt }) => shippedAt));

async function insert<Row>(rows: readonly Row[], save: (rows: readonly Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) await save(rows.slice(from, from + 500));
}

const shipped = orders.map(({ id, waited, shippedAt, dueAt, carrier }) => {
  const { allocate = 0, pick = 0, pack = 0, ship = 0 } = waited;
  return {
    ...{ tenant: '9104', kind: 'order' as const, subject_id: `s${id}`, facility_id: '3', carrier, sample: id % 64 },
    ...{ closed_at: shippedAt - last + now, due_at: (dueAt ?? 0) - last + now, whole_ms: shippedAt - allocate },
    ...{ allocated_ms: pick - allocate, picked_ms: pack - pick, packed_ms: ship - pack, shipped_ms: shippedAt - ship },
  };
});
await insert(shipped, (rows) => store.db.insertInto('lead_times').values(rows).execute());

const stages = ['created', 'fullyAllocated', 'picked', 'packed'] as const;
const open = Array.from({ length: OPEN }, (_, n) => {
  const due_at = now + (1 + (n % 30)) * HOUR_MS;
  return {
    ...{ tenant: '9104', kind: 'order' as const, subject_id: String(n), facility_id: '3', revision: 1 },
    ...{ carrier: ['UPS', 'FedEx', 'USPS'][n % 3] ?? null, stage: stages[n % 4] ?? 'created' },
    ...{ stage_since: now - (n % 240) * MINUTE_MS, lifecycle: JSON.stringify(unknownLifecycle) },
    ...{
      last_event_at: 1,
      created_at: 1,
      updated_at: 1,
      due_at,
      at_risk_at: due_at - 2 * HOUR_MS,
      rule_at: due_at - 2 * HOUR_MS,
    },
    ...{ due_because: 'usual: created', due_rules: deadlines.rulesOf({ tenant: '9104', kind: 'order' }) },
  };
});
await insert(open, (rows) => store.db.insertInto('subjects').values(rows).execute());

const pass = createPass({ ...store, deadlines });
for (let n = 0; n < PASSES; n += 1) {
  const before = process.cpuUsage();
  await pass(now + n * MINUTE_MS);
  const { user, system } = process.cpuUsage(before);
  const what = n === 0 ? 'the first, which learns and saves all' : n === 10 ? 'one that learns anew' : 'a pass';
  console.log(`${what}: ${Math.round((user + system) / 1000)} ms of processor time`);
}
await store.close();
rmSync(folder, { recursive: true });
