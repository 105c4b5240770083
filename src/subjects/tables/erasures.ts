import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { eraseFailures } from '../../admin/tables/bulk-actions.ts';
import { kindOf, orderItemKey, type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Lifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { withoutNames } from '../../domain/lifecycle/snapshot.ts';
import { isSettled, isWaitingOfSubject } from '../../inbox/tables/waiting.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isOpenOfSubject } from '../../store/outbox-conditions.ts';
import { changeRows, deleteRows, rowsOf } from '../../store/rows.ts';
import { countOf, type Database, type StoreDeps, subjectColumns } from '../../store/schema.ts';
import { saveTerms } from './subject-search.ts';
import { findSaved, lockSubject, termsIn } from './subjects.ts';

export type Erasable = Awaited<ReturnType<typeof count>>;

export type Erasures = ReturnType<typeof createErasures>;

/** Dedupe keys and the lifecycle stay, without reference numbers and names. */
export function createErasures({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>) {
  return {
    preview: (subject: SubjectRef) => count(db, subject),

    /** Nothing while events wait, or announcements are unsent and `unsent` is false; returns what it found. */
    erase: (
      subject: SubjectRef,
      { by, unsent }: { readonly by: string; readonly unsent: boolean },
    ): Promise<Erasable & { readonly isErased: boolean }> =>
      durably(async (transaction) => {
        await lockSubject(transaction, subject);
        const found = await count(transaction, subject);
        if (found.waiting > 0 || (found.unsent > 0 && !unsent)) return { ...found, isErased: false };
        await eraseAll(transaction, subject, now());
        const { waiting: _, unsent: __, ...counts } = found;
        const row = { ...subjectColumns(subject), ...counts, erased_at: now(), erased_by: by };
        await transaction.insertInto('erasures').values(row).execute();
        return { ...found, isErased: true };
      }),
  };
}

async function count(db: Kysely<Database>, subject: SubjectRef) {
  const deliveries = rowsOf(db, 'inbox', { subject_key: subjectKey(subject) });
  const waiting = await countOf(deliveries.where(isWaitingOfSubject));
  const settled = await countOf(deliveries.where(isSettled));
  const announcements = rowsOf(db, 'announcements', subjectColumns(subject));
  const unsent = rowsOf(db, 'outbox', subjectColumns(subject));
  const resources = await countOf(db.selectFrom('resources').where(await resourcesOf(db, subject)));
  return {
    /** With stored bodies or events. */
    deliveries: waiting + settled,
    resources,
    announcements: await countOf(announcements),
    notes: await countOf(rowsOf(db, 'notes', subjectColumns(subject))),
    waiting,
    /** For each destination, dead letters included. */
    unsent: await countOf(unsent.where(isOpenOfSubject)),
  };
}

/** Its record, its lines, and its pick list and customer, which are fetched again if somebody else needs them. */
async function resourcesOf(db: Kysely<Database>, subject: SubjectRef) {
  const { tenant, kind, id } = subject;
  const { pickJobId, customerId } = (await findSaved(db, subject))?.lifecycle.snapshot ?? {};
  const lines = orderItemKey(id, '');
  return ({ and, eb, or }: ExpressionBuilder<Database, 'resources'>) =>
    or([
      and({ tenant, kind, id }),
      ...(kindOf(kind).hasLines
        ? [and([and({ tenant, kind: 'orderItem' }), eb(sql`substr(id, 1, ${lines.length})`, '=', lines)])]
        : []),
      ...(pickJobId ? [and({ tenant, kind: 'pickList', id: pickJobId })] : []),
      ...(customerId ? [and({ tenant, kind: 'customer', id: customerId })] : []),
    ]);
}

async function eraseAll(transaction: Transaction<Database>, subject: SubjectRef, now: number): Promise<void> {
  await transaction
    .deleteFrom('resources')
    .where(await resourcesOf(transaction, subject))
    .execute();
  const announcements = rowsOf(transaction, 'announcements', subjectColumns(subject)).select('id');
  await transaction.deleteFrom('attempts').where('announcement', 'in', announcements).execute();
  await transaction.deleteFrom('outbox').where('announcement', 'in', announcements).execute();
  await deleteRows(transaction, 'announcements', subjectColumns(subject)).execute();
  // Dedupe keys stay, so that a redelivery does not bring the data back.
  await changeRows(transaction, 'inbox', { subject_key: subjectKey(subject) })
    .set({ body: new Uint8Array(), subject_key: null, event: null, retained: 'key' })
    .set({ reference: null, po_number: null })
    .set({ quarantine_code: null, quarantine_data: null })
    .set(({ fn, val }) => ({ observed_at: fn.coalesce('observed_at', val(now)) }))
    .where(isSettled)
    .execute();
  await deleteRows(transaction, 'notes', subjectColumns(subject)).execute();
  await deleteRows(transaction, 'due', { subject_key: subjectKey(subject) }).execute();
  await eraseTexts(transaction, subject);
  // Who did what to it stays; a reason may quote what the warehouse answered.
  await changeRows(transaction, 'audit', { subject_key: subjectKey(subject) })
    .set({ detail: null })
    .execute();
  await eraseFailures(transaction, subjectKey(subject));
}

/** Texts that may name a person. The next retrieval brings new ones. */
async function eraseTexts(transaction: Transaction<Database>, subject: SubjectRef): Promise<void> {
  const saved = await findSaved(transaction, subject);
  if (!saved) return;
  const { lifecycle } = saved;
  await saveTerms(transaction, subject, { before: termsIn(subject, saved), after: [] });
  const erased: Lifecycle = { ...lifecycle, snapshot: lifecycle.snapshot && withoutNames(lifecycle.snapshot) };
  await changeRows(transaction, 'subjects', subjectColumns(subject))
    .set({ lifecycle: JSON.stringify(erased), reference_number: null, facts: null, carrier: null, forecast: null })
    // Reasons may quote what the warehouse or a destination answered.
    .set({ refused: null, retrieving: null, retrieving_at: null, retrievals: null, announcing: null })
    .set({ unannounced: 0, cleared: null })
    .execute();
}
