import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/app/store.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import { addRows } from '../../src/store/rows.ts';
import { createDeadlines, createPass } from '../../src/subjects/deadlines.ts';
import { ruleOf } from '../../test/domain/deadlines/rules.ts';
import { HOUR_MS, MINUTE_MS, simulateMonth } from './month.ts';

/** Processor time of a pass over 10,000 open orders: on SQLite, or on the empty PostgreSQL database that `DATABASE_URL` names. */
const OPEN = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'dockline-pass-'));
const { DATABASE_URL: url } = process.env;
const store = await openStore(url ? { url } : { file: join(folder, 'store.sqlite') });
const deadlines = createDeadlines([{ id: '9104', deadlines: [ruleOf()] }]);
const now = Date.now();
const { orders } = simulateMonth({ days: 42, seed: 1 });
const later = now - Math.max(...orders.map((it) => it.shippedAt));
const of = (id: string) => ({ tenant: '9104', kind: 'order', subject_id: id, facility_id: '3' }) as const;

const shipped = orders.map(({ id, waited, shippedAt, dueAt, carrier }) => ({
  ...{ ...of(`s${id}`), carrier, sample: id % 64, closed_at: shippedAt + later, due_at: (dueAt ?? 0) + later },
  waited: JSON.stringify(Object.fromEntries(Object.entries(waited).map(([step, at]) => [step, at + later]))),
}));
for (const row of shipped) await addRows(store.db, 'lead_times', row).execute();

const stages = ['created', 'fullyAllocated', 'picked', 'packed'] as const;
const open = Array.from({ length: OPEN }, (_, n) => {
  const due_at = now + (1 + (n % 30)) * HOUR_MS;
  const times = { stage_since: now - (n % 240) * MINUTE_MS, last_event_at: 1, created_at: 1, updated_at: 1 };
  const due = {
    due_at,
    at_risk_at: due_at - 2 * HOUR_MS,
    rule_at: due_at - 2 * HOUR_MS,
    due_because: 'usual: created',
  };
  const state = { stage: stages[n % 4] ?? 'created', revision: 1, lifecycle: JSON.stringify(unknownLifecycle) };
  const carrier = ['UPS', 'FedEx', 'USPS'][n % 3] ?? null;
  return { ...of(String(n)), ...times, ...due, ...state, carrier, due_rules: deadlines.rulesOf(of('')) };
});
for (const row of open) await addRows(store.db, 'subjects', row).execute();

const pass = createPass({ ...store, deadlines });
const costs: number[] = [];
for (let n = 0; n < 30; n += 1) {
  const before = process.cpuUsage();
  await pass(now + n * MINUTE_MS);
  const { user, system } = process.cpuUsage(before);
  // Of ten, one learns anew; the first saves all forecasts.
  if (n % 10 > 0) costs.push((user + system) / 1000);
}
costs.sort((a, b) => a - b);
console.log(`a pass: ${costs[0]?.toFixed()} ms at the least, median ${costs[costs.length >> 1]?.toFixed()}`);
await store.close();
rmSync(folder, { recursive: true });
