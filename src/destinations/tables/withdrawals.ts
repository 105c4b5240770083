import { type Kysely, sql, type Transaction } from 'kysely';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { permit } from '../../domain/permission.ts';
import type { DestinationFilter, IdentityRef } from '../../domain/routing.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { isThere } from '../../store/outbox-conditions.ts';
import { changeRows, deleteRows, rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns, subjectIn } from '../../store/schema.ts';
import { giveBackFinished } from '../../store/subjects.ts';

const STEP = 500;

export async function* findUnwanted(
  db: Kysely<Database>,
  { tenant, id: destination }: IdentityRef,
  filter: DestinationFilter,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly string[]> {
  let found = 0;
  let after = { createdAt: -1, id: '' };
  while (found < limit) {
    const rows = await db
      .selectFrom('outbox')
      .innerJoin('announcements', 'announcements.id', 'outbox.announcement')
      .select(['announcements.id', 'customer_id as customerId', 'outbox.created_at as createdAt'])
      .where('outbox.tenant', '=', tenant)
      .where('destination', '=', destination)
      .where('sent_at', 'is', null)
      .where(sql<boolean>`(outbox.created_at, outbox.announcement) > (${after.createdAt}, ${after.id})`)
      .orderBy('outbox.created_at')
      .orderBy('outbox.announcement')
      .limit(STEP)
      .execute();
    const unwanted = rows.filter((row) => !permit(filter, row)).map(({ id }) => id);
    if (unwanted.length > 0) yield unwanted;
    found += unwanted.length;
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    after = last;
  }
}

/** Up to `COUNTED`. */
export async function countUnwanted(
  db: Kysely<Database>,
  destination: IdentityRef,
  filter: DestinationFilter,
): Promise<number> {
  let count = 0;
  for await (const { length } of findUnwanted(db, destination, filter, COUNTED)) count += length;
  return Math.min(count, COUNTED);
}

export interface VisibleDestinations {
  readonly id: string;
  readonly destinations: readonly (DestinationFilter & { readonly name: string })[];
}

export async function* findConfiguredUnwanted(db: Kysely<Database>, tenants: readonly VisibleDestinations[]) {
  for (const { id: tenant, destinations } of tenants)
    for (const { name, ...filter } of destinations) {
      const own = rowsOf(db, 'destinations', { tenant, name }).select('id').where(isThere);
      const known = await own.executeTakeFirst();
      const count = known ? await countUnwanted(db, { tenant, id: known.id }, filter) : 0;
      if (known && count > 0) yield { tenant, id: known.id, name, filter, count };
    }
}

export async function withdraw(
  transaction: Transaction<Database>,
  { tenant, id: destination }: IdentityRef,
  announcements: readonly string[],
): Promise<void> {
  const rows = await deleteRows(transaction, 'outbox', {
    announcement: announcements,
    tenant,
    destination,
    sent_at: null,
  })
    .returning(['announcement', 'tenant', 'kind', 'subject_id'])
    .execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ announcement }) => announcement);
  await deleteRows(transaction, 'attempts', { destination, announcement: ids }).execute();
  await closeGaps(transaction, destination, rows.map(subjectIn));
  await unmark(transaction, ids);
}

/** Ends marks of subjects without dead letters, and their attention where nothing else needs it. */
export async function unmark(transaction: Transaction<Database>, ids: readonly string[]): Promise<void> {
  const isOfThem = sql<boolean>`(tenant, kind, subject_id) in
    (select tenant, kind, subject_id from announcements where id in (${sql.join(ids)}))`;
  await sql`update subjects set unannounced = 0 where unannounced = 1 and ${isOfThem}
    and not exists (select 1 from outbox as other where other.tenant = subjects.tenant
      and other.kind = subjects.kind and other.subject_id = subjects.subject_id
      and coalesce(other.sent_at, -1) = -1 and other.dead_lettered_at is not null)`.execute(transaction);
  await giveBackFinished(transaction, isOfThem);
}

/** Each unsent announcement then follows the one before it that the destination gets or got. */
export async function closeGaps(
  transaction: Transaction<Database>,
  destination: string,
  subjects: readonly SubjectRef[],
): Promise<void> {
  const distinct = new Map(subjects.map((subject) => [subjectKey(subject), subject]));
  for (const subject of distinct.values()) await closeGap(transaction, destination, subject);
}

async function closeGap(transaction: Transaction<Database>, destination: string, subject: SubjectRef): Promise<void> {
  const own = { ...subjectColumns(subject), destination };
  const before = sql<number | null>`(select max(other.revision) from outbox as other where other.tenant = outbox.tenant
    and other.kind = outbox.kind and other.subject_id = outbox.subject_id and other.destination = outbox.destination
    and other.revision < outbox.revision)`;
  await changeRows(transaction, 'outbox', { ...own, sent_at: null })
    .set({ previous: before })
    .execute();
  const saved = await rowsOf(transaction, 'subjects', subjectColumns(subject))
    .select('announced_to')
    .executeTakeFirst();
  const last = await rowsOf(transaction, 'outbox', own)
    .select(({ fn }) => fn.max('revision').as('revision'))
    .executeTakeFirst();
  const { [destination]: _, ...others } = JSON.parse(saved?.announced_to ?? '{}');
  const announcedTo = last?.revision == null ? others : { ...others, [destination]: last.revision };
  await changeRows(transaction, 'subjects', subjectColumns(subject))
    .set({ announced_to: JSON.stringify(announcedTo) })
    .execute();
}
