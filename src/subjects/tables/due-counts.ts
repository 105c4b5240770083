import type { Kysely } from 'kysely';
import { runCounts } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { countDue } from './counts.ts';
import { isDue } from './deadlines.ts';

/** Numbers of open subjects by their deadline, each up to a limit. */
type DueBy = { readonly [D in keyof typeof isDue]: number };

/** Counts open subjects by their deadline, at a time in milliseconds since the epoch. */
export async function countDueBy(db: Kysely<Database>, now: number): Promise<DueBy> {
  const { overdue, atRisk, soon } = isDue;
  const counts = await runCounts(db, [countDue(overdue(now)), countDue(atRisk(now)), countDue(soon(now))]);
  return { overdue: counts[0].count, atRisk: counts[1].count, soon: counts[2].count };
}
