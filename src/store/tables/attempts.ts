import type { Kysely, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { AttemptOutcome, Exchange } from '../../domain/exchange.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';

/** Number of attempts that are kept for an announcement and a destination: the last ones. */
const KEPT = 20;

/** Attempt that has ended. */
export interface EndedAttempt {
  /** Time of its end, in milliseconds since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly outcome: AttemptOutcome;
  readonly error: string | null;
  readonly exchange?: Exchange | undefined;
}

/** Update of the announcement that was attempted, on a connection or in a transaction; it counts the attempt. */
type Counting = (db: Kysely<Database>) => UpdateQueryBuilder<Database, 'outbox', 'outbox', UpdateResult>;

const key = ['announcement', 'destination', 'tenant', 'number'] as const;

const counted = ['announcement', 'destination', 'tenant', 'attempts as number'] as const;

/**
 * Keeps an attempt in the same commit that counts it, and forgets all but the last. One that is not counted, since its announcement was
 * acknowledged before, is not kept.
 */
export async function keepAttempt(db: Kysely<Database>, attempt: EndedAttempt, count: Counting): Promise<void> {
  if (isPostgres(db)) return await keepAtOnce(db, attempt, count);
  await db.transaction().execute(async (transaction) => {
    const row = await count(transaction).returning(counted).executeTakeFirst();
    if (!row) return;
    const { announcement, destination, number } = row;
    await transaction
      .insertInto('attempts')
      .values({ ...row, ...columnsOf(attempt) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (number <= KEPT) return;
    await transaction
      .deleteFrom('attempts')
      .where(({ and }) => and({ announcement, destination }))
      .where('number', '<=', number - KEPT)
      .execute();
  });
}

/** Does the same in one statement, which is one way to the server and back instead of five. */
async function keepAtOnce(db: Kysely<Database>, attempt: EndedAttempt, count: Counting): Promise<void> {
  const { at, ms, outcome, status, error, request_headers, answer } = columnsOf(attempt);
  await db
    .with('counted', () => count(db).returning(counted))
    .with('forgotten', (query) =>
      query
        .deleteFrom('attempts')
        .using('counted')
        .whereRef('attempts.announcement', '=', 'counted.announcement')
        .whereRef('attempts.destination', '=', 'counted.destination')
        .where(({ eb }) => eb('attempts.number', '<=', eb('counted.number', '-', KEPT))),
    )
    .insertInto('attempts')
    .columns([...key, 'at', 'ms', 'outcome', 'status', 'error', 'request_headers', 'answer'])
    .expression(({ selectFrom, val }) =>
      selectFrom('counted')
        .select(key)
        .select([val(at).as('at'), val(ms).as('ms'), val(outcome).as('outcome'), val(status).as('status')])
        .select([val(error).as('error'), val(request_headers).as('headers'), val(answer).as('answer')]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const columnsOf = ({ at, ms, outcome, error, exchange }: EndedAttempt) => ({
  at,
  ms,
  outcome,
  error,
  status: exchange?.status ?? null,
  request_headers: exchange ? JSON.stringify(exchange.requestHeaders) : null,
  answer: exchange?.answer ?? null,
});
