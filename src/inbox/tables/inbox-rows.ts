import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Entry, QuarantineReason } from '../../domain/quarantine.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { changeRows, deleteRows } from '../../store/rows.ts';
import type { SharedDeps } from '../../store/schema.ts';
import { mergeDeliveries } from './completion.ts';
import { createEntryWriter } from './entry-writer.ts';
import { selectQuarantined, writeReason } from './quarantined.ts';
import { isWaitingOfEvent, isWaitingOfSubject, readWaiting, type WaitingCount } from './waiting.ts';

const withRows = (entry: Entry): readonly Entry[] => [entry, ...(entry.rows ?? [])];

/** An id of another event counts as none: the hash of the bytes stands in. */
function withOwnId(entry: Entry): Entry {
  const eventId = `${entry.tenant.slice(0, 20)}:sha256:${createHash('sha256').update(entry.body).digest('hex')}`;
  return { ...entry, eventId, ...(entry.event && { event: { ...entry.event, id: eventId } }) };
}

/** @throws DocklineError `ERR_STORE_UNAVAILABLE` */
export type InboxRows = ReturnType<typeof createInboxRows>;

export function createInboxRows({
  db,
  intake,
  runEach,
  clock,
  waiting,
}: SharedDeps & Pick<Connections, 'intake' | 'runEach'> & { readonly waiting: WaitingCount }) {
  const writeEntries = createEntryWriter({ runEach, clock, waiting });
  const quarantine = async (column: 'event_id' | 'subject_key', keys: readonly string[], reason: QuarantineReason) => {
    const { numUpdatedRows } = await db
      .updateTable('inbox')
      .set(writeReason(reason))
      .where(column, 'in', keys)
      .where(column === 'event_id' ? isWaitingOfEvent : isWaitingOfSubject)
      .executeTakeFirst();
    waiting.change(-Number(numUpdatedRows));
  };
  return {
    /** Approximate if other processes change them too. */
    waiting: waiting.value,

    /**
     * Writes all or none; true for an entry that is new, or has a new row. An understood delivery replaces a quarantined one with the same
     * key. One of an event that still waits completes it.
     */
    async add(entries: readonly Entry[]): Promise<readonly boolean[]> {
      const all = entries.flatMap(withRows);
      const added = await intake(async (writer) => {
        const written = await writeEntries(writer, all);
        const repeated = all.filter((_, index) => !written[index]);
        const others = await mergeDeliveries(writer, repeated);
        if (others.length === 0) return written;
        const own = await writeEntries(writer, others.map(withOwnId));
        return all.map((entry, index) => written[index] || own[others.indexOf(entry)] === true);
      });
      waiting.change(
        all.filter(({ rows, quarantineReason }, at) => added[at] && !rows && quarantineReason === undefined).length,
      );
      const written = new Set(all.filter((_, index) => added[index]));
      return entries.map((entry) => withRows(entry).some((one) => written.has(one)));
    },

    waitingOf: (subjectKey: string) => readWaiting(db, subjectKey),
    quarantine: (eventIds: readonly string[], reason: QuarantineReason): Promise<void> =>
      quarantine('event_id', eventIds, reason),
    quarantineAll: (subjectKey: string, reason: QuarantineReason): Promise<void> =>
      quarantine('subject_key', [subjectKey], reason),

    quarantinedAfter: selectQuarantined(db),

    async changeReason(ids: readonly number[], reason: QuarantineReason): Promise<void> {
      const rows = changeRows(db, 'inbox', { id: ids }).set(writeReason(reason));
      await rows.where('quarantine_code', 'is not', null).execute();
    },

    /** Only those that are still quarantined: their events were ingested under other keys. */
    async discard(ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      await deleteRows(db, 'inbox', { id: ids }).where('quarantine_code', 'is not', null).execute();
    },

    async probe(): Promise<void> {
      // The smallest write that reaches the disk. It flips a value twice because SQLite does not write an unchanged row.
      await intake((writer) =>
        writer.transaction().execute(async (transaction) => {
          const flip = sql`update kysely_migration_lock set is_locked = 1 - is_locked`;
          await flip.execute(transaction);
          await flip.execute(transaction);
        }),
      );
    },
  };
}
