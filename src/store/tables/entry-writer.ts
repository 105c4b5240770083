import { setImmediate as turn } from 'node:timers/promises';
import { CompiledQuery, type Insertable, type Kysely } from 'kysely';
import type { Entry } from '../../inbox/rows.ts';
import { isPostgres } from '../engines/dialect.ts';
import { durable } from '../engines/postgres.ts';
import type { Database } from '../schema.ts';

/**
 * Writes all entries or none, with one statement if there are not too many, and reports for each whether it is new: its dedupe key was unknown, or known only
 * from a quarantined delivery. Of several entries with one key it writes one, preferably one that is not quarantined.
 */
export type WriteEntries = (db: Kysely<Database>, entries: readonly Entry[]) => Promise<readonly boolean[]>;

/** Maximum number of rows per statement: databases limit its parameters, and it must be brief. */
const STATEMENT_ROWS = 500;

/** Creates the writer of entries for one database. */
export function createEntryWriter(): WriteEntries {
  // The text depends only on the number of rows, and compiling it takes about as long as writing them.
  const texts = new Map<number, string>();

  function insert(db: Kysely<Database>, rows: readonly Row[]): CompiledQuery<Written> {
    const text = texts.get(rows.length) ?? compileInsert(db, rows);
    texts.set(rows.length, text);
    return CompiledQuery.raw(text, rows.flatMap(Object.values)) as CompiledQuery<Written>;
  }

  async function insertInParts(db: Kysely<Database>, rows: readonly Row[]): Promise<readonly Written[]> {
    const written: Written[] = [];
    for (let start = 0; start < rows.length; start += STATEMENT_ROWS) {
      written.push(...(await db.executeQuery(insert(db, rows.slice(start, start + STATEMENT_ROWS)))).rows);
      // SQLite runs on the main thread, which other webhooks need, too.
      await turn();
    }
    return written;
  }

  return async (db, entries) => {
    const chosen = chooseByKey(entries);
    if (chosen.size === 0) return [];
    const rows = [...chosen.values()].map(toRow);
    const written =
      rows.length <= STATEMENT_ROWS
        ? (await db.executeQuery(insert(db, rows))).rows
        : await db.transaction().execute((transaction) => insertInParts(transaction, rows));
    const keys = new Set(written.map(({ key }) => key));
    return entries.map((entry) => chosen.get(entry.eventId) === entry && keys.has(entry.eventId));
  };
}

type Row = Insertable<Database['inbox']>;

/** Row that was inserted or replaced a quarantined one. */
interface Written {
  readonly key: string;
}

const replaced = [
  ...(['endpoint', 'tenant', 'subject_key', 'event', 'quarantine_reason', 'received_at', 'observed_at'] as const),
  ...(['body', 'uncompressed_bytes'] as const),
];

/** Compiles the statement for a number of rows, with their values as parameters, row by row. */
const compileInsert = (db: Kysely<Database>, rows: readonly Row[]): string =>
  db
    .insertInto('inbox')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('event_id')
        .doUpdateSet(({ ref }) => Object.fromEntries(replaced.map((column) => [column, ref(`excluded.${column}`)])))
        .where('inbox.quarantine_reason', 'is not', null)
        .where('excluded.quarantine_reason', 'is', null),
    )
    .returning('event_id as key')
    .$if(isPostgres(db), (insert) => insert.returning(durable.as('durable')))
    .compile().sql;

/** Chooses one entry per key, since a statement must not write a row twice, in the order of first occurrence. */
function chooseByKey(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const chosen = new Map<string, Entry>();
  for (const entry of entries) {
    const other = chosen.get(entry.eventId);
    if (!other || (other.quarantineReason !== undefined && entry.quarantineReason === undefined))
      chosen.set(entry.eventId, entry);
  }
  return chosen;
}

/** Returns a row whose columns are always in the same order. */
const toRow = (entry: Entry): Row => ({
  event_id: entry.eventId,
  endpoint: entry.endpoint,
  tenant: entry.tenant,
  subject_key: entry.subjectKey ?? null,
  event: entry.event ? JSON.stringify(entry.event) : null,
  quarantine_reason: entry.quarantineReason ?? null,
  received_at: entry.receivedAt,
  // A delivery whose rows are events of their own has nothing to observe.
  observed_at: entry.rows ? entry.receivedAt : null,
  body: entry.body,
  uncompressed_bytes: entry.uncompressedBytes ?? null,
});
