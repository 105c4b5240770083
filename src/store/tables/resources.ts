import type { Resources } from '../../../activities/ports/retrieval.ts';
import type { StoreDeps } from '../schema.ts';

/** Creates the retrieved resources, of which it stores the newest body. */
export function createResources({ db, now }: StoreDeps): Resources {
  return {
    async put(tenant, kind, id, body, customerId = null) {
      const newest = { body: Buffer.from(body), retrieved_at: now(), customer_id: customerId };
      await db
        .insertInto('resources')
        .values({ tenant, kind, id, ...newest })
        .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'id']).doUpdateSet(newest))
        .execute();
    },

    async find(tenant, kind, id) {
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
