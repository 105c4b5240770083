import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DestinationRef, Identity, IdentityRef } from '../../domain/routing.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';

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

/** Expression of the name in an identity. */
export const nameIn = (db: Kysely<Database>, column: string): RawBuilder<string> =>
  isPostgres(db)
    ? sql`split_part(${sql.ref(column)}, '~', 1)`
    : sql`substr(${sql.ref(column)}, 1, instr(${sql.ref(column)} || '~', '~') - 1)`;
