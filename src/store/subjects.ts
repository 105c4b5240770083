import type { Transaction } from 'kysely';
import type { Announcement, Subjects } from '../../activities/ports.ts';
import type { Lifecycle } from '../domain/lifecycle.ts';
import { needsAttention, stageOf } from '../domain/stage.ts';
import type { SubjectRef } from '../domain/subject.ts';
import type { Database } from './schema.ts';
import type { StoreDeps } from './store-deps.ts';

/** The read model, written in one transaction with the announcements of their changes. */
export function createSubjects({ db, now }: StoreDeps): Subjects {
  return {
    record: (subject, lifecycle, announcements) =>
      db.transaction().execute(async (transaction) => {
        await writeSubject(transaction, { subject, lifecycle, now: now() });
        for (const announcement of announcements) {
          await writeAnnouncement(transaction, { subject, announcement, now: now() });
        }
      }),

    async recall({ tenant, kind, id }) {
      const row = await db
        .selectFrom('subjects')
        .select('lifecycle')
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject_id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const unsent = await db
        .selectFrom('announcements')
        .select(['id', 'parked_at'])
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject_id', '=', id)
        .where('sent_at', 'is', null)
        .orderBy('revision')
        .execute();
      return {
        lifecycle: JSON.parse(row.lifecycle) as Lifecycle,
        unsent: unsent.filter(({ parked_at }) => parked_at === null).map(({ id }) => id),
        parked: unsent.filter(({ parked_at }) => parked_at !== null).map(({ id }) => id),
      };
    },
  };
}

async function writeSubject(
  transaction: Transaction<Database>,
  { subject, lifecycle, now }: { readonly subject: SubjectRef; readonly lifecycle: Lifecycle; readonly now: number },
): Promise<void> {
  const { snapshot } = lifecycle;
  const row = {
    stage: stageOf(lifecycle),
    revision: lifecycle.revision,
    lifecycle: JSON.stringify(lifecycle),
    reference_number: snapshot?.referenceNumber ?? null,
    customer_id: snapshot?.customerId ?? null,
    facility_id: snapshot?.facilityId ?? null,
    needs_attention: needsAttention(lifecycle) ? 1 : 0,
    last_event_at: lifecycle.lastEventTime,
    updated_at: now,
  };
  await transaction
    .insertInto('subjects')
    .values({ tenant: subject.tenant, kind: subject.kind, subject_id: subject.id, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'kind', 'subject_id'])
        .doUpdateSet(row)
        // A lifecycle can learn without a new revision (an event that a snapshot had told of), so the same revision may write.
        .where((eb) =>
          eb.or([
            eb('subjects.revision', '<', row.revision),
            eb.and([
              eb('subjects.revision', '=', row.revision),
              eb('subjects.last_event_at', '<=', row.last_event_at),
              eb('subjects.lifecycle', '!=', row.lifecycle),
            ]),
          ]),
        ),
    )
    .execute();
}

async function writeAnnouncement(
  transaction: Transaction<Database>,
  {
    subject,
    announcement,
    now,
  }: { readonly subject: SubjectRef; readonly announcement: Announcement; readonly now: number },
): Promise<void> {
  await transaction
    .insertInto('announcements')
    .values({
      id: announcement.id,
      tenant: subject.tenant,
      kind: subject.kind,
      subject_id: subject.id,
      revision: announcement.revision,
      body: Buffer.from(announcement.body),
      created_at: now,
      sent_at: null,
      parked_at: null,
      parked_reason: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
