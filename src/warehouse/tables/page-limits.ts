import { type Kysely, sql } from 'kysely';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

type Kind = { readonly tenant: string; readonly kind: SweptKind };

export const createPageLimits = ({ db, now }: Pick<StoreDeps, 'db' | 'now'>) => ({
  /** Notes the reason, for people, as of now. */
  async note({ tenant, kind }: Kind, reason: string): Promise<void> {
    const at = now();
    await db
      .insertInto('page_limits')
      .values({ tenant, kind, reason, since: at, at })
      .onConflict((conflict) =>
        conflict.columns(['tenant', 'kind']).doUpdateSet({
          reason,
          since: sql<number>`case when page_limits.reason = ${reason} then page_limits.since else ${at} end`,
          at,
        }),
      )
      .execute();
  },

  async end({ tenant, kind }: Kind): Promise<void> {
    await db.deleteFrom('page_limits').where('tenant', '=', tenant).where('kind', '=', kind).execute();
  },
});

/** Reads what was noted since a time, in milliseconds since the epoch. */
export const readPageLimits = (reads: Kysely<Database>, from: number) =>
  reads.selectFrom('page_limits').selectAll().where('at', '>=', from).orderBy('tenant').orderBy('kind').execute();
