import { Kysely } from 'kysely';
import { createClock } from '../../store/engines/clock.ts';
import { postgresDialect } from '../../store/engines/postgres.ts';
import type { Database } from '../../store/schema.ts';
import { createRateSlots } from './rate-slots.ts';

const limits = { connections: 1, connectMs: 5000, statementMs: 5000, synced: false } as const;

/** Opens the slots of the warehouses' rates on a PostgreSQL database, for a process that makes a few GETs beside others. It changes nothing else. */
export function openRateSlots(url: string) {
  const db = new Kysely<Database>({ dialect: postgresDialect(url, limits) });
  const processes = { count: () => 2 };
  return { slotsOf: createRateSlots({ db, clock: createClock(db), processes }), close: () => db.destroy() };
}
