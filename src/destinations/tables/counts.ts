import { sql } from 'kysely';
import type { AttemptOutcome } from '../../domain/exchange.ts';
import { type CountStatement, countRows } from '../../store/bounded-count.ts';
import { identityOf } from './identities.ts';

/** Counts dead letters; `since` is when the oldest became one. */
export const countDeadLetters: CountStatement = countRows(
  sql`${sql.table('outbox')} where sent_at is null and dead_lettered_at is not null`,
  'dead_lettered_at',
);

/** Counts announcements that are still to be sent; `since` is when the oldest was recorded. */
export const countUnsent: CountStatement = countRows(
  sql`${sql.table('outbox')} where sent_at is null and dead_lettered_at is null`,
  'created_at',
);

/** Counts the attempts of a destination with a result that ended within a time. */
export const countAttempts = ({
  tenant,
  name,
  outcome,
  from,
  to,
}: {
  readonly tenant: string;
  readonly name: string;
  readonly outcome: AttemptOutcome;
  readonly from: number;
  readonly to: number;
}): CountStatement =>
  countRows(
    sql`attempts where tenant = ${tenant} and destination = ${identityOf({ tenant, name })} and outcome = ${outcome}
      and at >= ${from} and at < ${to}`,
    'at',
  );
