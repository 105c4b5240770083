import type { Transaction } from 'kysely';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { milestoneIn } from '../../domain/lifecycle/milestone.ts';
import type { DestinationRef, Routable } from '../../domain/routing.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectColumns, subjectIn } from '../schema.ts';
import { countDone, type RunningBulk } from './bulk-actions.ts';
import { unmark } from './dead-letters.ts';
import { makeDue } from './due.ts';

/** Destination that gets announcements again. */
export interface RepeatTarget extends DestinationRef {
  /** Reports whether its filter wants an announcement. */
  readonly wants: (change: Routable) => boolean;
}

/** Repetition of announcements. */
export type Repeats = ReturnType<typeof createRepeats>;

/** Creates the repetition of announcements to a destination, whatever it got before. */
export function createRepeats({ db, now, clock }: StoreDeps & SharedDeps) {
  return {
    /**
     * Has announcements sent to a destination again, marked as replays: those that it has acknowledged or given up, and those that it never
     * got but wants. Those that are being sent, or whose bodies were purged, are left alone. Counts what is sent again for the bulk action.
     */
    async repeat(
      ids: readonly string[],
      target: RepeatTarget,
      bulk: Pick<RunningBulk, 'id' | 'createdAt'>,
    ): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction().execute(async (transaction) => {
        const again = await sendAgain(transaction, ids, target, now(), bulk.createdAt);
        await unmark(transaction, ids);
        const first = await sendFirst(transaction, ids, target, now());
        const keys = new Set([...again, ...first].map((it) => subjectKey(it)));
        await makeDue(transaction, [...keys], clock);
        await countDone(transaction, bulk.id, again.length + first.length);
      });
    },
  };
}

/** Makes those unsent that were acknowledged or given up, unless they were repeated since the preview. */
async function sendAgain(
  transaction: Transaction<Database>,
  ids: readonly string[],
  { tenant, name }: RepeatTarget,
  now: number,
  previewedAt: number,
): Promise<readonly SubjectRef[]> {
  const rows = await transaction
    .updateTable('outbox')
    .set({ sent_at: null, dead_lettered_at: null, dead_letter_reason: null, tried_since: now, replayed_at: now })
    .where('announcement', 'in', ids)
    .where(({ and }) => and({ tenant, destination: name }))
    .where(({ eb, or }) => or([eb('sent_at', 'is not', null), eb('dead_lettered_at', 'is not', null)]))
    .where(({ eb, or }) => or([eb('replayed_at', 'is', null), eb('replayed_at', '<', previewedAt)]))
    .where('announcement', 'in', ({ selectFrom }) =>
      selectFrom('announcements')
        .select('id')
        .where('id', 'in', ids)
        .where(({ eb, fn }) => eb(fn<number>('length', ['body']), '>', 0)),
    )
    .returning(['tenant', 'kind', 'subject_id'])
    .execute();
  return rows.map(subjectIn);
}

/** Inserts those that the destination wants and never got. */
async function sendFirst(
  transaction: Transaction<Database>,
  ids: readonly string[],
  { tenant, name, wants }: RepeatTarget,
  now: number,
): Promise<readonly SubjectRef[]> {
  const rows = await transaction
    .selectFrom('announcements')
    .select(['id', 'tenant', 'kind', 'subject_id', 'revision', 'created_at', 'customer_id as customerId'])
    .where('id', 'in', ids)
    .where('tenant', '=', tenant)
    .where(({ eb, fn }) => eb(fn<number>('length', ['body']), '>', 0))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox')
            .select('announcement')
            .whereRef('announcement', '=', 'announcements.id')
            .where('destination', '=', name),
        ),
      ),
    )
    .orderBy('revision')
    .execute();
  const wanted = rows.filter(({ id, kind, customerId }) => wants({ kind, milestone: milestoneIn(id), customerId }));
  for (const { id, revision, created_at, ...row } of wanted) {
    const subject = subjectIn(row);
    await transaction
      .insertInto('outbox')
      .values({
        announcement: id,
        destination: name,
        ...subjectColumns(subject),
        revision,
        previous: await revisionBefore(transaction, subject, { name, revision }),
        created_at,
        tried_since: now,
        replayed_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return wanted.map(subjectIn);
}

/** Returns the revision that a destination gets before another one of a subject; null if there is none. */
async function revisionBefore(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { name, revision }: { readonly name: string; readonly revision: number },
): Promise<number | null> {
  const row = await transaction
    .selectFrom('announcements')
    .innerJoin('outbox', 'outbox.announcement', 'announcements.id')
    .select(({ fn }) => fn.max('announcements.revision').as('revision'))
    .where('announcements.tenant', '=', subject.tenant)
    .where('announcements.kind', '=', subject.kind)
    .where('announcements.subject_id', '=', subject.id)
    .where('announcements.revision', '<', revision)
    .where('destination', '=', name)
    .executeTakeFirst();
  return row?.revision ?? null;
}
