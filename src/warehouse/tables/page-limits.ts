import { type Kysely, sql } from 'kysely';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { deleteRows, putRows } from '../../store/rows.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

type Kind = { readonly tenant: string; readonly kind: SweptKind };

export const createPageLimits = ({ db, now }: Pick<StoreDeps, 'db' | 'now'>) => ({
  async note({ tenant, kind }: Kind, reason: string): Promise<void> {
    const at = now();
    const since = sql<number>`case when page_limits.reason = ${reason} then page_limits.since else ${at} end`;
    await putRows(db, 'page_limits', { tenant, kind, reason, since: at, at }, { reason, since, at }).execute();
  },

  async end({ tenant, kind }: Kind): Promise<void> {
    await deleteRows(db, 'page_limits', { tenant, kind }).execute();
  },
});

export const readPageLimits = (reads: Kysely<Database>, from: number) =>
  reads.selectFrom('page_limits').selectAll().where('at', '>=', from).orderBy('tenant').orderBy('kind').execute();
