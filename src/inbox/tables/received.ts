import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/schema.ts';

/** Between the clocks of receiving processes. */
const SKEW_MS = 600_000;

/** By row numbers, which are given in the order of receipt: an index of times would cost every webhook something. */
export async function receivedAround(
  db: Kysely<Database>,
  { since, until }: { readonly since?: number; readonly until?: number },
) {
  const from = since === undefined ? undefined : await firstSince(db, since - SKEW_MS);
  const to = until === undefined ? undefined : await firstSince(db, until + SKEW_MS);
  return [
    ...(from === undefined ? [] : [sql<boolean>`id >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`id < ${to}`]),
  ];
}

async function firstSince(db: Kysely<Database>, time: number): Promise<number> {
  const ends = await sql<{ least: number | null; most: number | null }>`select
    (select min(id) from ${sql.table('inbox')}) as least, (select max(id) from ${sql.table('inbox')}) as most`.execute(
    db,
  );
  let low = ends.rows[0]?.least ?? 0;
  let high = (ends.rows[0]?.most ?? -1) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await db
      .selectFrom('inbox')
      .select(['id', 'received_at as at'])
      .where('id', '>=', middle)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!next || next.at >= time) high = middle;
    else low = next.id + 1;
  }
  return low;
}
