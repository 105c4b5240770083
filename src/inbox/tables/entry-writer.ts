import { setImmediate as turn } from 'node:timers/promises';
import { CompiledQuery, type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Entry } from '../../domain/quarantine.ts';
import type { Connections } from '../../store/engines/connections.ts';
import type { Clock } from '../../store/engines/dialect.ts';
import { durable } from '../../store/engines/postgres.ts';
import type { RunEach } from '../../store/engines/sqlite.ts';
import type { Database } from '../../store/schema.ts';
import { ascending, unlessWoken, wakeTime } from './due.ts';
import { writeReason } from './quarantined.ts';
import { isWaiting, soughtBy, type WaitingCount } from './waiting.ts';

/** PostgreSQL limits the parameters of a statement, and SQLite must be brief. */
const PART_ROWS = 500;

/** All or none; returns the keys of new rows. */
type WriteRows = (db: Kysely<Database>, rows: readonly Row[]) => Promise<readonly string[]>;

type WriterDeps = Pick<Connections, 'runEach'> & {
  readonly clock: Clock;
  readonly waiting: Pick<WaitingCount, 'value'>;
};

type TimeToWake = () => RawBuilder<number>;

/**
 * Writes all or none. True for a new entry: its key was unknown, or known only from a quarantined delivery. Of several with one key it
 * writes one, preferably one that is not quarantined.
 */
export function createEntryWriter({ runEach, clock, waiting }: WriterDeps) {
  const timeToWake = () => wakeTime(clock, waiting.value());
  const writeRows = runEach ? createWriteEach(runEach, timeToWake) : createWriteTogether(timeToWake);
  return async (db: Kysely<Database>, entries: readonly Entry[]): Promise<readonly boolean[]> => {
    const chosen = chooseByKey(entries);
    if (chosen.size === 0) return [];
    const keys = new Set(await writeRows(db, [...chosen.values()].map(toRow)));
    return entries.map((entry) => chosen.get(entry.eventId) === entry && keys.has(entry.eventId));
  };
}

function createWriteEach(runEach: RunEach, timeToWake: TimeToWake): WriteRows {
  let text: string | undefined;
  let dueText: string | undefined;
  return (db, rows) =>
    db.transaction().execute(async (transaction) => {
      text ??= insertInto(transaction, rows.slice(0, 1)).compile().sql;
      const written: boolean[] = [];
      for (const part of inParts(rows)) {
        // The statements run on the main thread, which other webhooks need, too.
        if (written.length > 0) await turn();
        written.push(...runEach(text, part.map(Object.values)));
      }
      const added = rows.filter((_, index) => written[index]);
      makeDue(transaction, added);
      return added.map(({ event_id }) => event_id);
    });

  function makeDue(transaction: Kysely<Database>, added: readonly Row[]): void {
    const keys = new Set(added.filter(isWaitingRow).map(({ subject_key }) => subject_key));
    const time = timeToWake();
    dueText ??= insertDue(transaction, time).compile().sql;
    const { parameters } = time.compile(transaction);
    runEach(
      dueText,
      [...keys].map((key) => [...parameters, key]),
    );
  }
}

/** The key is the last parameter. */
const insertDue = (db: Kysely<Database>, time: RawBuilder<number>) =>
  db
    .insertInto('due')
    .values({ step: sql.lit('wake' as const), attempts: sql.lit(0), at: sql<number>`${time}`, subject_key: '' })
    .onConflict(unlessWoken);

function createWriteTogether(timeToWake: TimeToWake): WriteRows {
  // The text depends only on the number of rows, and compiling it takes about as long as writing them.
  const texts = new Map<number, string>();

  async function insert(db: Kysely<Database>, rows: readonly Row[]): Promise<readonly string[]> {
    const time = timeToWake();
    const text = texts.get(rows.length) ?? insertAndMakeDue(db, rows, time).compile().sql;
    texts.set(rows.length, text);
    const parameters = [...rows.flatMap(Object.values), ...time.compile(db).parameters];
    const written = CompiledQuery.raw(text, parameters) as CompiledQuery<{ readonly key: string }>;
    return (await db.executeQuery(written)).rows.map(({ key }) => key);
  }

  return (db, rows) =>
    rows.length <= PART_ROWS
      ? insert(db, rows)
      : db.transaction().execute(async (transaction) => {
          const written: string[] = [];
          // All parts by ascending keys, so that two such transactions do not wait for each other.
          for (const part of inParts(rows.toSorted(bySubject))) written.push(...(await insert(transaction, part)));
          return written;
        });
}

const bySubject = (a: Row, b: Row): number => {
  const one = a.subject_key ?? '';
  const other = b.subject_key ?? '';
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const insertAndMakeDue = (db: Kysely<Database>, rows: readonly Row[], time: RawBuilder<number>) =>
  db
    .with('written', () =>
      insertInto(db, rows).returning(['event_id', 'subject_key', 'quarantine_code', 'observed_at']),
    )
    .with('made', (query) =>
      query
        .insertInto('due')
        .columns(['subject_key', 'step', 'at', 'attempts'])
        .expression(({ selectFrom }) =>
          selectFrom('written')
            .select('subject_key')
            .select([sql.lit('wake').as('step'), sql<number>`${time}`.as('at'), sql.lit(0).as('attempts')])
            .where('subject_key', 'is not', null)
            .where(isWaiting)
            .groupBy('subject_key')
            .orderBy(ascending(db, sql.ref('subject_key'))),
        )
        .onConflict(unlessWoken),
    )
    .selectFrom('written')
    .select('event_id as key')
    .select(durable.as('durable'));

const isWaitingRow = ({ quarantine_code, observed_at }: Row): boolean =>
  quarantine_code === null && observed_at === null;

function* inParts(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += PART_ROWS) yield rows.slice(start, start + PART_ROWS);
}

type Row = Insertable<Database['inbox']>;

/** Replaces quarantined ones by others that are not. */
const insertInto = (db: Kysely<Database>, rows: readonly Row[]) =>
  db
    .insertInto('inbox')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('event_id')
        .doUpdateSet(Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, sql.ref(`excluded.${name}`)])))
        .where('inbox.quarantine_code', 'is not', null)
        .where('excluded.quarantine_code', 'is', null),
    );

/** A statement must not write a row twice; in order of first occurrence. */
function chooseByKey(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const chosen = new Map<string, Entry>();
  for (const entry of entries) {
    const other = chosen.get(entry.eventId);
    if (!other || (other.quarantineReason !== undefined && entry.quarantineReason === undefined))
      chosen.set(entry.eventId, entry);
  }
  return chosen;
}

/** Columns always in the same order. */
const toRow = (entry: Entry): Row => ({
  event_id: entry.eventId,
  endpoint: entry.endpoint,
  tenant: entry.tenant,
  subject_key: entry.subjectKey ?? null,
  event: entry.event ? JSON.stringify(entry.event) : null,
  ...soughtBy(entry.event),
  ...(entry.quarantineReason ? writeReason(entry.quarantineReason) : { quarantine_code: null, quarantine_data: null }),
  received_at: entry.receivedAt,
  // A delivery whose rows are events of their own has nothing to observe.
  observed_at: entry.rows ? entry.receivedAt : null,
  body: entry.body,
});
