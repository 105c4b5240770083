import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import type { Connections } from './engines/connections.ts';
import { skipLocked } from './engines/dialect.ts';
import type { Database } from './schema.ts';

type Purgeable = keyof typeof statements;

type Purge = ReturnType<typeof createPurge>;

export const createPurge =
  ({ db, shrink }: Pick<Connections, 'db' | 'shrink'>) =>
  async (what: Purgeable, before: number, limit: number): Promise<number> => {
    const { purge, also } = statements[what] as Statements;
    const old = sql`${selectOld(what, before)} limit ${limit} ${skipLocked(db)}`;
    const statement = sql`with old as (${old}) ${purge}`;
    const count = await (also
      ? db.transaction().execute((transaction) => purgeWith(transaction, old, { purge, also }))
      : affected(statement, db));
    if (count > 0) shrink();
    return count;
  };

export const selectOld = (what: Purgeable, before: number): RawBuilder<unknown> => statements[what].select(before);

const affected = async (statement: RawBuilder<unknown>, db: Kysely<Database>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows);

/** The rows are found once, since a second search may find others. */
async function purgeWith(
  transaction: Transaction<Database>,
  old: RawBuilder<unknown>,
  { purge, also }: Required<Pick<Statements, 'purge' | 'also'>>,
): Promise<number> {
  const { rows } = await (old as RawBuilder<{ readonly id: string }>).execute(transaction);
  if (rows.length === 0) return 0;
  const found = sql`with old (id) as (values ${sql.join(rows.map(({ id }) => sql`(${id})`))})`;
  await sql`${found} ${also}`.execute(transaction);
  return await affected(sql`${found} ${purge}`, transaction);
}

/** Selects old rows, and purges those that are named `old`. */
interface Statements {
  readonly select: (before: number) => RawBuilder<unknown>;
  readonly purge: RawBuilder<unknown>;
  /** Purges what belongs to these rows first, in the same transaction. */
  readonly also?: RawBuilder<unknown>;
}

const observed = (retained: 'all' | 'event' | 'key') => (before: number) =>
  sql`select id from inbox where retained = ${retained} and observed_at < ${before} order by observed_at`;

const nothing = new Uint8Array();

const deletion = (table: keyof Database) => sql`delete from ${sql.table(table)} where id in (select id from old)`;

/** Of deliveries first the body, then the event, then the dedupe key; of announcements the body, once all have acknowledged them. */
const statements = {
  bodies: {
    select: observed('all'),
    purge: sql`update inbox set body = ${nothing}, retained = 'event'
      where id in (select id from old)`,
  },
  events: {
    select: observed('event'),
    purge: sql`update inbox set subject_key = null, event = null, reference = null, po_number = null, retained = 'key'
      where id in (select id from old)`,
  },
  keys: {
    select: observed('key'),
    purge: deletion('inbox'),
  },
  quarantined: {
    select: (before) =>
      sql`select id from inbox where quarantine_code is not null and received_at < ${before} order by id`,
    purge: deletion('inbox'),
  },
  announcements: {
    // Must match the condition of the index.
    select: (before) => sql`select id from announcements
      where length(body) > 0 and created_at < ${before} and not exists (
        select 1 from outbox where announcement = announcements.id and (sent_at is null or sent_at >= ${before}))
      order by created_at`,
    also: sql`delete from attempts where announcement in (select id from old)`,
    purge: sql`update announcements set body = ${nothing} where id in (select id from old)`,
  },
  resources: {
    select: (before) =>
      sql`select tenant, kind, id from resources where retrieved_at < ${before} order by retrieved_at`,
    purge: sql`delete from resources where (tenant, kind, id) in (select tenant, kind, id from old)`,
  },
  audit: {
    select: (before) => sql`select id from audit where at < ${before} order by at`,
    purge: deletion('audit'),
  },
  notes: {
    select: (before) => sql`select id from notes where written_at < ${before} order by written_at`,
    purge: deletion('notes'),
  },
  bulk: {
    select: (before) => sql`select id from bulk_actions where finished_at < ${before} order by id`,
    purge: deletion('bulk_actions'),
  },
} as const satisfies Readonly<Record<string, Statements>>;

export const purgeable = Object.keys(statements) as Purgeable[];

/** Few enough rows not to delay a webhook. */
const BATCH = 200;

export function createRetention({
  purge,
  logger,
  ages,
  now = Date.now,
  everyMs = 600_000,
  pauseMs = 50,
}: {
  readonly purge: Purge;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** After observation, acknowledgment, retrieval, action or, in quarantine, receipt. */
  readonly ages: Readonly<Record<Purgeable, number>>;
  readonly now?: () => number | Promise<number>;
  readonly everyMs?: number;
  readonly pauseMs?: number;
}) {
  async function purgeOld(what: Purgeable, closing: AbortSignal | undefined): Promise<number> {
    let total = 0;
    let count = BATCH;
    while (count === BATCH && !closing?.aborted) {
      count = await purge(what, (await now()) - ages[what], BATCH);
      total += count;
      if (count === BATCH) await wait(pauseMs, undefined, { signal: closing }).catch(() => {});
    }
    return total;
  }

  async function purgeAll(closing?: AbortSignal): Promise<{ readonly [What in Purgeable]?: number }> {
    const counts: { [What in Purgeable]?: number } = {};
    for (const what of purgeable) counts[what] = await purgeOld(what, closing);
    return counts;
  }

  const loop = createLoop(async (closing) => {
    await purgeAll(closing).then(
      (counts) => Object.values(counts).some(Boolean) && logger.info(counts, 'purged data past its retention'),
      (err: unknown) => logger.warn({ err }, 'cannot purge data past its retention; retrying later'),
    );
    return everyMs;
  });

  return {
    start: () => loop.start(),
    purgeAll: () => purgeAll(),
    close: loop.close,
  };
}
