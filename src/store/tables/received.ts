import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';
import { isWaiting } from './waiting.ts';

/** States of a delivery: it waits to be recorded, is recorded, or was not understood. */
export const deliveryStates = ['waiting', 'recorded', 'quarantined'] as const;

/** Filter of deliveries; times are in milliseconds since the epoch, both ends included. */
interface ReceivedFilter {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly kind?: SubjectKind | undefined;
  /** Name of an event, or the beginning of one with `*` behind it. */
  readonly event?: string | undefined;
  readonly state?: (typeof deliveryStates)[number] | undefined;
  readonly customer?: string | undefined;
  readonly tenant?: string | undefined;
}

/** Selects the deliveries that match a filter. */
export async function receivedRows(db: Kysely<Database>, filter: ReceivedFilter) {
  const conditions = [...(await idConditions(db, filter)), ...receivedConditions(db, filter)];
  return conditions.reduce((rows, condition) => rows.where(condition), db.selectFrom('inbox'));
}

function receivedConditions(db: Kysely<Database>, filter: ReceivedFilter): readonly RawBuilder<boolean>[] {
  const { since, until, kind, event, state, customer, tenant } = filter;
  return [
    ...(since === undefined ? [] : [sql<boolean>`received_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`received_at <= ${until}`]),
    ...(kind === undefined ? [] : [startsWith(sql.ref('subject_key'), `${kind}:`)]),
    ...(event === undefined ? [] : [isNamed(db, event)]),
    ...(state === undefined ? [] : [isInState[state]]),
    ...(customer === undefined ? [] : [sql<boolean>`customer_id = ${customer}`]),
    ...(tenant === undefined ? [] : [sql<boolean>`tenant = ${tenant}`]),
  ];
}

const isInState = {
  waiting: isWaiting,
  recorded: sql<boolean>`observed_at is not null`,
  quarantined: sql<boolean>`quarantine_reason is not null`,
} as const;

/** Not "like", because it ignores case in SQLite. */
const startsWith = (text: RawBuilder<unknown>, beginning: string): RawBuilder<boolean> =>
  sql`substr(${text}, 1, ${sql.lit(beginning.length)}) = ${beginning}`;

function isNamed(db: Kysely<Database>, event: string): RawBuilder<boolean> {
  const name = isPostgres(db) ? sql`event::json ->> 'name'` : sql`json_extract(event, '$.name')`;
  return event.endsWith('*') ? startsWith(name, event.slice(0, -1)) : sql`${name} = ${event}`;
}

/** Time by which the clocks of processes that receive deliveries may differ, in milliseconds. */
const SKEW_MS = 600_000;

/**
 * Limits the numbers of deliveries to those around a time: they are given in the order in which deliveries come, so that their times need
 * no index, which would cost every webhook something.
 */
async function idConditions(db: Kysely<Database>, { since, until }: ReceivedFilter) {
  const from = since === undefined ? undefined : await firstSince(db, since - SKEW_MS);
  const to = until === undefined ? undefined : await firstSince(db, until + SKEW_MS);
  return [
    ...(from === undefined ? [] : [sql<boolean>`id >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`id < ${to}`]),
  ];
}

/** Finds by halves the number at which deliveries of a time begin. */
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
