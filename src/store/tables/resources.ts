import type { ResourceKind } from '../../domain/catalogue/enrichment.ts';
import type { StoreDeps } from '../schema.ts';

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
      await db
        .insertInto('resources')
        .values({ tenant, kind, id, ...newest })
        .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'id']).doUpdateSet(newest))
        .execute();
    },

    /** Returns the newest body, and its age in milliseconds. */
    async find(tenant: string, kind: ResourceKind, id: string): Promise<Resource | undefined> {
      const row = await db
        .selectFrom('resources')
        .select(['body', 'retrieved_at', 'customer_id as customerId'])
        .where(({ and }) => and({ tenant, kind, id }))
        .executeTakeFirst();
      if (!row) return undefined;
      const { body, retrieved_at, customerId } = row;
      return { body: Buffer.from(body).toString(), ageMs: now() - retrieved_at, customerId };
    },
  };
}
