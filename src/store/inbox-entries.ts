import type { Insertable, Kysely } from 'kysely';
import type { Entry } from '../inbox/rows.ts';
import type { Database } from './schema.ts';

const replaced = ['endpoint', 'tenant', 'subject_key', 'event', 'parked_reason', 'received_at', 'body'] as const;

/**
 * Writes entries with one statement, which is all or nothing; says for each whether it is new: nothing, or only a parked delivery,
 * told of its event before. Of several with one key one is written, rather one that was understood.
 */
export async function writeEntries(db: Kysely<Database>, entries: readonly Entry[]): Promise<readonly boolean[]> {
  const chosen = chooseByKey(entries);
  if (chosen.size === 0) return [];
  const written = await db
    .insertInto('inbox')
    .values([...chosen.values()].map(toRow))
    .onConflict((conflict) =>
      conflict
        .column('event_id')
        .doUpdateSet(({ ref }) => Object.fromEntries(replaced.map((column) => [column, ref(`excluded.${column}`)])))
        .where('inbox.parked_reason', 'is not', null)
        .where('excluded.parked_reason', 'is', null),
    )
    .returning('event_id as key')
    .execute();
  const keys = new Set(written.map(({ key }) => key));
  return entries.map((entry) => chosen.get(entry.eventId) === entry && keys.has(entry.eventId));
}

/** A statement must not write a row twice; the order is that of the first of each key. */
function chooseByKey(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const chosen = new Map<string, Entry>();
  for (const entry of entries) {
    const other = chosen.get(entry.eventId);
    if (!other || (other.parkedReason !== undefined && entry.parkedReason === undefined))
      chosen.set(entry.eventId, entry);
  }
  return chosen;
}

const toRow = (entry: Entry): Insertable<Database['inbox']> => ({
  event_id: entry.eventId,
  endpoint: entry.endpoint,
  tenant: entry.tenant,
  subject_key: entry.subjectKey ?? null,
  event: entry.event ? JSON.stringify(entry.event) : null,
  parked_reason: entry.parkedReason ?? null,
  received_at: entry.receivedAt,
  body: entry.body,
});
