import { type Insertable, type Kysely, type RawBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import type { AttemptOutcome, Exchange, Outgoing } from '../../domain/outgoing.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { addRows, deleteRows, prepared } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';

/** For each announcement and destination. */
const KEPT = 20;

interface EndedAttempt {
  readonly outgoing: Outgoing;
  readonly at: number;
  readonly ms: number;
  readonly outcome: AttemptOutcome;
  readonly error: string | null;
  readonly exchange?: Exchange | undefined;
}

type Counting = (db: Kysely<Database>) => UpdateQueryBuilder<Database, 'outbox', 'outbox', UpdateResult>;

/** In the commit that counts it; not kept if its announcement was acknowledged before. */
export function recordAttempt(
  together: Connections['together'],
  attempt: EndedAttempt,
  count: Counting,
): Promise<void> {
  return together((db) => (isPostgres(db) ? keepAtOnce : keepInSteps)(db, attempt, count));
}

async function keepInSteps(db: Kysely<Database>, attempt: EndedAttempt, count: Counting): Promise<void> {
  const row = await count(db).returning(counted).executeTakeFirst();
  if (!row) return;
  await insertAttempt(db, { ...row, ...columnsOf(attempt) });
  if (row.number > KEPT) await forget(db, attempt, sql.lit(row.number)).execute();
}

const insertAttempt = prepared((db, row: Insertable<Database['attempts']>) => addRows(db, 'attempts', row));

const counted = ['tenant', 'attempts as number'] as const;

/** One way to the server and back instead of five. */
async function keepAtOnce(db: Kysely<Database>, attempt: EndedAttempt, count: Counting): Promise<void> {
  const columns = columnsOf(attempt);
  const names = Object.keys(columns) as (keyof typeof columns)[];
  await db
    .with('counted', () => count(db).returning(counted))
    .with('forgotten', () => forget(db, attempt, sql`(select number from counted)`))
    .insertInto('attempts')
    .columns(['tenant', 'number', ...names])
    .expression(({ selectFrom, val }) =>
      selectFrom('counted')
        .select(['tenant', 'number'])
        .select(names.map((name) => val(columns[name]).as(name))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const forget = (db: Kysely<Database>, { outgoing }: EndedAttempt, number: RawBuilder<unknown>) =>
  deleteRows(db, 'attempts', { announcement: outgoing.id, destination: outgoing.destination }).where(
    sql<boolean>`number <= ${number} - ${sql.lit(KEPT)}`,
  );

const columnsOf = ({ outgoing, at, ms, outcome, error, exchange }: EndedAttempt) => ({
  announcement: outgoing.id,
  destination: outgoing.destination,
  at,
  ms,
  outcome,
  error,
  status: exchange?.status ?? null,
  request_headers: exchange ? JSON.stringify(exchange.requestHeaders) : null,
  answer: exchange?.answer ?? null,
});
