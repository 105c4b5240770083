import type { Insertable } from 'kysely';
import type { ResourceKind } from '../../domain/catalogue/enrichment.ts';
import { prepared } from '../../store/engines/prepared.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

/** Retrieved body of a resource. */
export interface Resource {
  readonly body: string;
  readonly ageMs: number;
  /** Customer that it is of; null if nothing says whose it is. */
  readonly customerId: string | null;
}

/** Newest retrieved body of each resource; bodies never enter a workflow's history. */
export type Resources = ReturnType<typeof createResources>;

export function createResources({ db, now }: StoreDeps) {
  return {
    /** Stores a body with the customer that it is of; null if nothing says whose it is. */
    async put(
      tenant: string,
      kind: ResourceKind,
      id: string,
      body: string,
      customerId: string | null = null,
    ): Promise<void> {
      const newest = { body: Buffer.from(body), retrieved_at: now(), customer_id: customerId };
      await save(db, { tenant, kind, id, ...newest });
    },

    /** Returns the newest body, and its age in milliseconds. */
    async find(tenant: string, kind: ResourceKind, id: string): Promise<Resource | undefined> {
      const [row] = await select(db, { tenant, kind, id });
      if (!row) return undefined;
      const { body, retrieved_at, customerId } = row;
      return { body: Buffer.from(body).toString(), ageMs: now() - retrieved_at, customerId };
    },
  };
}

const save = prepared((db, row: Insertable<Database['resources']>) => {
  const { tenant: _, kind: _kind, id: _id, ...newest } = row;
  return db
    .insertInto('resources')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'id']).doUpdateSet(newest));
});

const select = prepared((db, key: Pick<Insertable<Database['resources']>, 'tenant' | 'kind' | 'id'>) =>
  db
    .selectFrom('resources')
    .select(['body', 'retrieved_at', 'customer_id as customerId'])
    .where(({ and }) => and(key)),
);
