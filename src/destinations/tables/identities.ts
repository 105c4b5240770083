import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type DestinationRef, type Identity, type IdentityRef, nameIn } from '../../domain/routing.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { Database } from '../../store/schema.ts';

/** Expression of the identity of a destination; one that the store does not know is configured, and known by its name. */
export const identityOf = ({ tenant, name }: DestinationRef): RawBuilder<Identity> =>
  sql<Identity>`coalesce((select known.id from ${sql.table('destinations')} as known
    where known.tenant = ${tenant} and known.name = ${name}), ${name})`;

/** Reads the identity of a destination. */
export async function readIdentity(db: Kysely<Database>, { tenant, name }: DestinationRef): Promise<Identity> {
  const row = await db
    .selectFrom('destinations')
    .select('id')
    .where(({ and }) => and({ tenant, name }))
    .executeTakeFirst();
  return row?.id ?? name;
}

/** Reads the identity of a destination likewise, with its tenant. */
export const toIdentity = async (db: Kysely<Database>, ref: DestinationRef): Promise<IdentityRef> => ({
  tenant: ref.tenant,
  id: await readIdentity(db, ref),
});

/** Expression of the name of the destination in a row; that in its identity, if it was removed or is configured. */
export function nameOf(db: Kysely<Database>, table: 'outbox' | 'attempts'): RawBuilder<string> {
  const identity = sql.ref(`${table}.destination`);
  const first = isPostgres(db)
    ? sql`split_part(${identity}, '~', 1)`
    : sql`substr(${identity}, 1, instr(${identity} || '~', '~') - 1)`;
  return sql`coalesce((select named.name from ${sql.table('destinations')} as named
    where named.tenant = ${sql.ref(`${table}.tenant`)} and named.id = ${identity}), ${first})`;
}

/** Reads the name of a destination; that in its identity, if it was removed or is configured. */
export async function readName(db: Kysely<Database>, { tenant, id }: IdentityRef): Promise<string> {
  const row = await db
    .selectFrom('destinations')
    .select('name')
    .where(({ and }) => and({ tenant, id }))
    .executeTakeFirst();
  return row?.name ?? nameIn(id);
}
