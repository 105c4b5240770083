import { type Kysely, sql } from 'kysely';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import type { PathName } from '../domain/catalogue/operation.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import { DocklineError, type FailureCode } from '../domain/errors.ts';
import { rowsOf } from '../store/rows.ts';
import { type Database, subjectIn } from '../store/schema.ts';
import type { ActivityFailure } from '../subjects/tables/activity-failures.ts';
import { type Answers, readSuccesses, type Successes } from '../warehouse/tables/answers.ts';
import { checkedAt, isChecked, isHeld } from './sources.ts';

export interface FailingSubject extends ActivityFailure {
  readonly subject: SubjectRef;
  readonly customerId: string | null;
}

/** Of everything since a time, of some records of a kind for one reason, or of one record. */
export interface WarehouseFailure {
  readonly breadth: 'all' | 'some' | 'one';
  readonly tenant: string;
  /** Those that were read, the latest failure first. */
  readonly subjects: readonly [FailingSubject, ...FailingSubject[]];
  readonly since: number;
  /** All of them failed last since then, and others may have. */
  readonly failedFrom: number;
}

/** Of a warehouse; beyond them the latest tell how it is. */
const READ = 500;

const TENANTS = 100;

/** So many records that fail for one reason count as some: for a reason that is more likely their own, and for the warehouse's. */
const SOME = 5;
const FEW = 2;

/** A failure of an outage may have been noted so long before the last success. */
const OVERLAP_MS = 30_000;

/** Judges by the subjects whose GETs fail, and by what has succeeded, how much of each warehouse fails, and which will if that goes on. */
export async function diagnoseWarehouses(reads: Kysely<Database>, now: number) {
  const tenants = await failingTenants(reads);
  const successes = tenants.length === 0 ? undefined : await readSuccesses(reads, now);
  const read = await Array.fromAsync(tenants, async (tenant) => [tenant, await readFailing(reads, tenant)] as const);
  const failuresAt = (time: number) =>
    read.flatMap(([tenant, failing]) => diagnose(tenant, failing, successes?.get(tenant), time));
  const failures = failuresAt(now);
  const checked = failuresAt(checkedAt(now)).filter(({ breadth, since }) => breadth === 'all' && isChecked(since, now));
  return { failures, checked };
}

function diagnose(
  tenant: string,
  failing: readonly FailingSubject[],
  successes: Successes | undefined,
  now: number,
): readonly WarehouseFailure[] {
  const succeededAt = successes?.at ?? 0;
  const held = failing.filter(({ since }) => isHeld(since, now));
  // Whatever failed since the last success, for a reason of which there is a new victim: it may fail for all.
  const reasons = Map.groupBy(
    failing.filter(({ at }) => at > succeededAt - OVERLAP_MS),
    reasonOf,
  );
  const isOutage = (group: readonly FailingSubject[]) =>
    isHeld(succeededAt, now) &&
    group.some(({ since }) => since > succeededAt - OVERLAP_MS && isHeld(since, now)) &&
    (group.length > 1 || !isOfOneRecord(group[0]));
  const lost = [...reasons.values()].filter(isOutage).flat();
  const others = held.filter((it) => !lost.includes(it) && !isOnlyWaiting(it, successes));
  const kinds = Map.groupBy(others, kindOf);
  // Whoever failed a moment ago shows as well whether it is the record or the warehouse.
  const sizes = Map.groupBy(failing, kindOf);
  const isOfSome = ([first]: readonly FailingSubject[]) =>
    first !== undefined && (sizes.get(kindOf(first))?.length ?? 0) >= (isOfOneRecord(first) ? SOME : FEW);
  return [
    ...failureOf('all', tenant, lost),
    ...[...kinds.values()].flatMap((group) =>
      isOfSome(group) ? failureOf('some', tenant, group) : group.flatMap((it) => failureOf('one', tenant, [it])),
    ),
  ];
}

/** Failed in an outage that is over, and was not tried since. One that failed again amid successes fails by itself. */
function isOnlyWaiting({ since, at: failedAt }: ActivityFailure, successes: Successes | undefined): boolean {
  if (!successes || successes.at < failedAt) return false;
  const hasSucceededBetween =
    successes.since < failedAt || (successes.before !== null && since + OVERLAP_MS < successes.before);
  return since === failedAt || !hasSucceededBetween;
}

function failureOf(breadth: WarehouseFailure['breadth'], tenant: string, group: readonly FailingSubject[]) {
  const [newest, ...rest] = group.toSorted((a, b) => b.at - a.at);
  if (!newest) return [];
  const since = Math.min(...group.map((it) => it.since));
  const failedFrom = Math.min(...group.map(({ at }) => at));
  return [{ breadth, tenant, subjects: [newest, ...rest] as const, since, failedFrom }];
}

const kindOf = (it: FailingSubject): string => `${it.operation} ${reasonOf(it)}`;

const reasonOf = ({ status, code }: ActivityFailure): string => `${status ?? ''} ${code ?? ''}`;

const ofOneRecord: readonly (FailureCode | undefined)[] = ['ERR_WAREHOUSE_UNREADABLE', 'ERR_WAREHOUSE_NOT_YET'];

/** More likely one record's than the warehouse's, as long as it is the only one. */
const isOfOneRecord = (it: ActivityFailure | undefined): boolean =>
  it?.status === 500 || ofOneRecord.includes(it?.code);

/** Steps from one to the next in the index. */
async function failingTenants(reads: Kysely<Database>): Promise<readonly string[]> {
  const subjects = sql.table('subjects');
  const { rows } = await sql<{ tenant: string }>`
    with recursive tenants (tenant) as (
      select min(tenant) from ${subjects} where retrieving_at is not null
      union all
      select (select min(tenant) from ${subjects} where retrieving_at is not null and tenant > tenants.tenant)
        from tenants where tenants.tenant is not null)
    select tenant from tenants where tenant is not null limit ${TENANTS}`.execute(reads);
  return rows.map(({ tenant }) => tenant);
}

async function readFailing(reads: Kysely<Database>, tenant: string): Promise<readonly FailingSubject[]> {
  const rows = await rowsOf(reads, 'subjects', { tenant })
    .select(['tenant', 'kind', 'subject_id', 'retrieving', 'retrieving_at', 'customer_id as customerId'])
    .where('retrieving_at', 'is not', null)
    .orderBy('retrieving_at', 'desc')
    .limit(READ)
    .execute();
  return rows.map(({ retrieving, retrieving_at, customerId, ...row }) => ({
    ...(JSON.parse(retrieving ?? '{}') as ActivityFailure),
    ...{ subject: subjectIn(row), customerId, at: retrieving_at ?? 0 },
  }));
}

const WRITE_MS = 1000;

interface AnswerDeps {
  readonly answers: { add(heard: readonly Answers[]): Promise<void> };
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Like answers are one row, written together. */
export function createAnswerNotes({ answers, now, logger }: AnswerDeps) {
  let heard = new Map<string, Answers>();

  async function write(): Promise<void> {
    if (heard.size === 0) return;
    const written = heard;
    heard = new Map();
    try {
      await answers.add([...written.values()]);
    } catch (err) {
      logger.warn({ err }, 'cannot note how the warehouse answers');
    }
  }

  const loop = createLoop(async () => {
    await write();
    return WRITE_MS;
  });
  return {
    /** A canceled GET says nothing. */
    note(tenant: string, operation: PathName, error?: unknown): void {
      if (error !== undefined && !(error instanceof DocklineError)) return;
      const outcome = error === undefined ? 'ok' : String(error.status ?? 'none');
      const key = [tenant, operation, outcome].join('\n');
      const at = now();
      const row = { tenant, operation, outcome, code: error?.code ?? null, firstAt: heard.get(key)?.firstAt ?? at };
      heard.set(key, { ...row, lastAt: at });
    },
    write,
    start: () => loop.start(),
    async close(): Promise<void> {
      await loop.close();
      await write();
    },
  };
}
