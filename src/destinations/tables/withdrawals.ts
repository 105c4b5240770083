import { type Kysely, sql, type Transaction } from 'kysely';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { permit } from '../../domain/permission.ts';
import type { DestinationFilter, IdentityRef } from '../../domain/routing.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { type Database, subjectColumns, subjectIn } from '../../store/schema.ts';
import { findOnlyTenant } from '../../subjects/tables/subject-search.ts';
import { unmark } from './dead-letters.ts';
import { toIdentity } from './identities.ts';

/** Number of announcements that are read at a time. */
const STEP = 500;

/** Finds what waits for a destination and a filter does not want, some at a time, up to about a limit. */
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

/** Counts what waits for a destination and a filter does not want, dead letters included, up to `COUNTED`. */
export async function countUnwanted(
  db: Kysely<Database>,
  destination: IdentityRef,
  filter: DestinationFilter,
): Promise<number> {
  let count = 0;
  for await (const { length } of findUnwanted(db, destination, filter, COUNTED)) count += length;
  return Math.min(count, COUNTED);
}

/** Configured destinations of an account; without an id it is the only one. */
interface ConfiguredTenant {
  readonly id?: string | undefined;
  readonly destinations: readonly (DestinationFilter & { readonly name: string })[];
}

/** Finds the configured destinations for which something waits that their settings do not want, with its number up to `COUNTED`. */
export async function* findConfiguredUnwanted(db: Kysely<Database>, tenants: readonly ConfiguredTenant[]) {
  const only = await findOnlyTenant(db);
  for (const { id: tenant = only, destinations } of tenants)
    for (const { name, ...filter } of destinations) {
      const count = await countUnwanted(db, await toIdentity(db, { tenant, name }), filter);
      if (count > 0) yield { tenant, name, filter, count };
    }
}

/** Takes out announcements that a destination is still to get: what comes next follows the last that it got. */
export async function withdraw(
  transaction: Transaction<Database>,
  { tenant, id: destination }: IdentityRef,
  announcements: readonly string[],
): Promise<void> {
  const rows = await transaction
    .deleteFrom('outbox')
    .where('announcement', 'in', announcements)
    .where(({ and }) => and({ tenant, destination }))
    .where('sent_at', 'is', null)
    .returning(['announcement', 'tenant', 'kind', 'subject_id'])
    .execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ announcement }) => announcement);
  await transaction
    .deleteFrom('attempts')
    .where('destination', '=', destination)
    .where('announcement', 'in', ids)
    .execute();
  const subjects = new Map(rows.map((row) => [subjectKey(subjectIn(row)), subjectIn(row)]));
  for (const subject of subjects.values()) await closeGap(transaction, destination, subject);
  await unmark(transaction, ids);
}

/** Has each announcement follow the one before it that a destination gets or got. */
async function closeGap(transaction: Transaction<Database>, destination: string, subject: SubjectRef): Promise<void> {
  const own = { ...subjectColumns(subject), destination };
  const before = sql<number | null>`(select max(other.revision) from outbox as other where other.tenant = outbox.tenant
    and other.kind = outbox.kind and other.subject_id = outbox.subject_id and other.destination = outbox.destination
    and other.revision < outbox.revision)`;
  await transaction
    .updateTable('outbox')
    .set({ previous: before })
    .where(({ and }) => and(own))
    .where('sent_at', 'is', null)
    .execute();
  const saved = await transaction
    .selectFrom('subjects')
    .select('announced_to')
    .where(({ and }) => and(subjectColumns(subject)))
    .executeTakeFirst();
  const last = await transaction
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .where(({ and }) => and(own))
    .executeTakeFirst();
  const { [destination]: _, ...others } = JSON.parse(saved?.announced_to ?? '{}');
  const announcedTo = last?.revision == null ? others : { ...others, [destination]: last.revision };
  await transaction
    .updateTable('subjects')
    .set({ announced_to: JSON.stringify(announcedTo) })
    .where(({ and }) => and(subjectColumns(subject)))
    .execute();
}
