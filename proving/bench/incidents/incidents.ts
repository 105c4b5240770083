import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type StoreLocation } from '../../../src/app/store.ts';
import type { ConditionName } from '../../../src/domain/health/condition.ts';
import { searches } from '../../../src/health/conditions/table.ts';
import { findIncidents } from '../../../src/health/find.ts';
import { readRejected } from '../../../src/health/rejected.ts';
import { diagnoseWarehouses } from '../../../src/health/warehouse.ts';
import { readEverything } from '../../../src/store/limited-reads.ts';
import { createDatabase, type DatabaseName } from '../../faults/fixture/database.ts';
import type { Environment } from '../fixture.ts';
import { quantile } from '../statistics.ts';
import { seedTroubles } from './seed.ts';

/** Time to find everything that is wrong while every subject is in trouble, on one database. */
export interface IncidentsRow {
  readonly database: DatabaseName;
  readonly subjects: number;
  /** Incidents that were found. */
  readonly found: number;
  readonly p95Ms: number;
  /** Conditions that take longest by themselves, with their p95. */
  readonly slowest: readonly { readonly condition: ConditionName; readonly p95Ms: number }[];
}

/** Times that everything is read, after some that fill caches. */
const READS = 60;
const WARM = 5;

/** Measures the search for incidents on SQLite, and on PostgreSQL if there is one. */
export async function measureIncidents(
  { subjects }: { readonly subjects: number },
  { postgresServer, say }: Environment,
): Promise<readonly IncidentsRow[]> {
  const rows: IncidentsRow[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'dockline-incidents-'));
  try {
    rows.push(await measure('sqlite', { file: join(folder, 'dockline.db') }, subjects, say));
    if (postgresServer === undefined) return rows;
    const database = await createDatabase(postgresServer);
    try {
      rows.push(await measure('postgres', { url: database.url }, subjects, say));
    } finally {
      await database.drop();
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(
  database: DatabaseName,
  location: StoreLocation,
  subjects: number,
  say: Environment['say'],
): Promise<IncidentsRow> {
  const now = Date.now();
  const store = await openStore(location);
  try {
    say(`incidents: storing ${subjects} subjects in trouble on ${database}`);
    await seedTroubles(store.db, subjects, now);
    const reads = readEverything(store.reads);
    const sources = { reads, now, isOfCustomers: false, timeZone: 'UTC' };
    const silent = { info() {}, error() {} };
    let found = 0;
    const p95Ms = await timed(async () => {
      found = (await findIncidents(sources, silent)).length;
    });
    say(`incidents: ${found} found in ${p95Ms.toFixed(0)} ms (p95) on ${database}`);
    const each = [];
    for (const [condition, find] of Object.entries(searches)) {
      const warehouses = () => diagnoseWarehouses(reads, now);
      const rejected = () => readRejected(reads, now);
      each.push({
        condition: condition as ConditionName,
        p95Ms: await timed(async () => void (await find({ ...sources, warehouses, rejected }))),
      });
    }
    return { database, subjects, found, p95Ms, slowest: each.sort((a, b) => b.p95Ms - a.p95Ms).slice(0, 12) };
  } finally {
    await store.close();
  }
}

/** Returns the p95 of a reading, in milliseconds. */
async function timed(read: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < READS + WARM; index += 1) {
    const startedAt = performance.now();
    await read();
    if (index >= WARM) times.push(performance.now() - startedAt);
  }
  return quantile(times, 0.95);
}
