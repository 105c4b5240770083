import { type Kysely, sql, type Transaction } from 'kysely';
import type { Announcement, Recollection, Subjects } from '../../activities/ports.ts';
import type { Lifecycle } from '../domain/lifecycle.ts';
import { needsAttention, stageOf } from '../domain/stage.ts';
import { type SubjectRef, subjectKey } from '../domain/subject.ts';
import type { Connections } from './connections.ts';
import { isPostgres } from './dialect.ts';
import type { Database } from './schema.ts';
import type { StoreDeps } from './store-deps.ts';

/** The read model, written in one transaction with the announcements of their changes. */
export function createSubjects({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>): Subjects {
  return {
    record: (subject, lifecycle, announcements) =>
      durably(async (transaction) => {
        const [first] = announcements;
        const standing = first && (await findStanding(transaction, subject));
        if (standing && standing.revision >= first.revision) {
          return isSame(standing.lifecycle, lifecycle) ? undefined : recall(transaction, subject);
        }
        await writeSubject(transaction, { subject, lifecycle, now: now() });
        if (announcements.length > 0) await writeAnnouncements(transaction, { subject, announcements, now: now() });
        return undefined;
      }),

    recall: (subject) => recall(db, subject),
  };
}

/** What is recorded; nobody else records the subject before the end of the transaction. */
async function findStanding(transaction: Transaction<Database>, subject: SubjectRef) {
  if (isPostgres<Database>(transaction)) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${subjectKey(subject)}, ${RECORDING}))`.execute(
      transaction,
    );
  }
  return findRow(transaction, subject);
}

const findRow = (db: Kysely<Database>, { tenant, kind, id }: SubjectRef) =>
  db
    .selectFrom('subjects')
    .select(['revision', 'lifecycle'])
    .where('tenant', '=', tenant)
    .where('kind', '=', kind)
    .where('subject_id', '=', id)
    .executeTakeFirst();

/** Sets these locks apart from those of claims. */
const RECORDING = 1;

const isSame = (recorded: string, lifecycle: Lifecycle): boolean => recorded === JSON.stringify(lifecycle);

async function recall(db: Kysely<Database>, subject: SubjectRef): Promise<Recollection | undefined> {
  const { tenant, kind, id } = subject;
  const row = await findRow(db, subject);
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

async function writeAnnouncements(
  transaction: Transaction<Database>,
  {
    subject: { tenant, kind, id: subject_id },
    announcements,
    now,
  }: { readonly subject: SubjectRef; readonly announcements: readonly Announcement[]; readonly now: number },
): Promise<void> {
  const unsent = { created_at: now, sent_at: null, parked_at: null, parked_reason: null };
  await transaction
    .insertInto('announcements')
    .values(
      announcements.map(({ id, revision, body }) => ({
        ...{ id, tenant, kind, subject_id, revision, body: Buffer.from(body), ...unsent },
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
