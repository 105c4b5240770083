import type { Insertable } from 'kysely';
import type { ResourceKind } from '../../domain/catalogue/enrichment.ts';
import { customersNamedBy } from '../../domain/catalogue/record-customer.ts';
import { NOBODY } from '../../domain/lifecycle/customers.ts';
import { prepared, putRows, rowsOf } from '../../store/rows.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

export interface Resource {
  readonly body: string;
  readonly ageMs: number;
  /** Null if nothing says whose it is. */
  readonly customerId: string | null;
}

/** Newest bodies only; they never enter a workflow's history. */
export type Resources = ReturnType<typeof createResources>;

export function createResources({ db, now }: StoreDeps) {
  return {
    /** Of the customer on whom `customerId` and the body agree, or of nobody; of none if customers share it. */
    async put(
      tenant: string,
      kind: ResourceKind,
      id: string,
      body: string,
      customerId?: string | null | undefined,
    ): Promise<void> {
      const isShared = kind === 'user' || kind === 'customer' || kind === 'pickList';
      const customer_id = isShared ? null : ownerOf(customersNamedBy(body), customerId);
      const newest = { body: Buffer.from(body), retrieved_at: now(), customer_id };
      await save(db, { tenant, kind, id, ...newest });
    },

    async find(tenant: string, kind: ResourceKind, id: string): Promise<Resource | undefined> {
      const [row] = await select(db, { tenant, kind, id });
      if (!row) return undefined;
      const { body, retrieved_at, customerId } = row;
      return { body: Buffer.from(body).toString(), ageMs: now() - retrieved_at, customerId };
    },
  };
}

/** Null if neither names one, `NOBODY` if they differ. */
function ownerOf(named: readonly string[], customerId: string | null | undefined): string | null {
  const [owner = null, other] = new Set(customerId == null ? named : [customerId, ...named]);
  return other === undefined ? owner : NOBODY;
}

const save = prepared((db, row: Insertable<Database['resources']>) => putRows(db, 'resources', row));

const select = prepared((db, key: Pick<Insertable<Database['resources']>, 'tenant' | 'kind' | 'id'>) =>
  rowsOf(db, 'resources', key).select(['body', 'retrieved_at', 'customer_id as customerId']),
);
