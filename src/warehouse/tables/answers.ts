import { type Kysely, sql } from 'kysely';
import type { PathName } from '../../domain/catalogue/operation.ts';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import type { FailureCode } from '../../domain/errors.ts';
import { deleteRows, putRows, rowsOf } from '../../store/rows.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

/** Like answers of a warehouse, as one process had them. */
export interface Answers {
  readonly tenant: string;
  readonly operation: PathName;
  /** `ok`, the status of a failure, or `none` without an answer. */
  readonly outcome: string;
  readonly code: FailureCode | null;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A longer time without a success separates two periods. */
const GAP_MS = 60_000;

export const createAnswers = ({ db }: Pick<StoreDeps, 'db'>) => ({
  async add(heard: readonly Answers[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      for (const answers of heard) await add(transaction, answers);
    });
  },
});

async function add(db: Kysely<Database>, { tenant, operation, outcome, code, firstAt, lastAt }: Answers) {
  // A failure counts from the first one since the operation succeeded. Processes write side by side, so the newest wins, unless it is from
  // before a clock was set back.
  const isNewest = sql<boolean>`(answers.at < ${lastAt} or answers.at > ${lastAt + GAP_MS})`;
  const isNew =
    outcome === 'ok'
      ? sql<boolean>`(answers.at < ${firstAt - GAP_MS} or answers.at > ${lastAt + GAP_MS})`
      : sql<boolean>`exists (select 1 from answers as ok where ok.tenant = ${tenant} and ok.operation = ${operation}
          and ok.outcome = 'ok' and ok.at > answers.at)`;
  const row = { tenant, operation, outcome, code, since: firstAt, at: lastAt };
  const change = {
    code,
    since: sql<number>`case when ${isNew} then ${firstAt} else answers.since end`,
    before: sql<number | null>`case when ${isNew} then answers.at else answers.before end`,
    at: sql<number>`case when ${isNewest} then ${lastAt} else answers.at end`,
  };
  await putRows(db, 'answers', row, change).execute();
}

export interface Successes {
  readonly tenant: string;
  /** Start of the time in which they came at least once a minute. */
  readonly since: number;
  readonly at: number;
  readonly before: number | null;
}

export async function readSuccesses(reads: Kysely<Database>, now: number): Promise<ReadonlyMap<string, Successes>> {
  const rows = await rowsOf(reads, 'answers', { outcome: 'ok' })
    .select(['tenant', 'since', 'at', 'before'])
    .where('at', '<=', now + GAP_MS)
    .execute();
  const byTenant = Map.groupBy(rows, ({ tenant }) => tenant);
  return new Map([...byTenant].map(([tenant, own]) => [tenant, joined(tenant, own)]));
}

/** Back from the newest, as far as there is no gap. */
function joined(tenant: string, rows: readonly Omit<Successes, 'tenant'>[]): Successes {
  const sorted = rows.toSorted((a, b) => b.at - a.at);
  const at = sorted[0]?.at ?? 0;
  const since = sorted.reduce((begin, it) => (it.at >= begin - GAP_MS ? Math.min(begin, it.since) : begin), at);
  const earlier = sorted.map((it) => (it.at < since ? it.at : (it.before ?? 0)));
  return { tenant, since, at, before: Math.max(...earlier) || null };
}

/** Operations that were forbidden since then, without a later success. */
export const readForbidden = (reads: Kysely<Database>, from: number) =>
  rowsOf(reads, 'answers', { code: 'ERR_WAREHOUSE_FORBIDDEN' })
    .select(['tenant', 'operation', 'since', 'at'])
    .where('at', '>=', from)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('answers as ok')
            .select('ok.at')
            .whereRef('ok.tenant', '=', 'answers.tenant')
            .whereRef('ok.operation', '=', 'answers.operation')
            .where('ok.outcome', '=', 'ok')
            .whereRef('ok.at', '>', 'answers.at'),
        ),
      ),
    )
    .orderBy('tenant')
    .orderBy('operation')
    .execute();

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
