import { type Kysely, sql } from 'kysely';
import { countDeadLetters, countUnsent } from '../destinations/tables/counts.ts';
import { destinationState, disablerOf } from '../destinations/tables/destinations.ts';
import type { SubjectKind } from '../domain/catalogue/subject.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import type { Attention } from '../domain/lifecycle/attention.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';
import { openStagesOf } from '../domain/lifecycle/stage.ts';
import { type QuarantineCategory, quarantineBeginnings, quarantineCategories } from '../domain/quarantine.ts';
import type { DestinationRef } from '../domain/routing.ts';
import { oldestWaiting } from '../inbox/tables/waiting.ts';
import { COUNTED, countEach, runCounts } from '../store/bounded-count.ts';
import { findOldestTransaction } from '../store/oldest-transaction.ts';
import type { Database, ListingDeps, Pauser } from '../store/schema.ts';
import { countAttention } from '../subjects/tables/attention.ts';
import { countStage } from '../subjects/tables/counts.ts';
import { countDueBy } from '../subjects/tables/due-counts.ts';
import { findOnlyTenant } from '../subjects/tables/subject-search.ts';

/** Number of rows, with the time of the oldest; null if there is none. */
interface Counted {
  readonly count: number;
  readonly since: number | null;
}

/** Destination with the reason why nothing is sent to it; null if something is. */
interface PausedDestination {
  readonly tenant: string;
  readonly name: string;
  /** A person has paused it, or Dockline has stopped it. */
  readonly paused: 'by hand' | 'stopped' | null;
}

/** Contents of the store as gauges show them. Times are milliseconds since the epoch. */
export interface StoredGauges {
  readonly at: number;
  readonly waiting: Counted;
  readonly quarantined: Readonly<Record<QuarantineCategory, number>>;
  readonly deadLetters: number;
  readonly unsent: Counted;
  readonly destinations: readonly PausedDestination[];
  readonly subjects: readonly (Counted & { readonly kind: SubjectKind; readonly stage: Stage })[];
  readonly attention: Readonly<Record<Attention, number>>;
  readonly due: Readonly<Record<'overdue' | 'atRisk' | 'soon', number>>;
  /** Time for which the oldest transaction of another connection has been open; 0 for none. */
  readonly oldestTransactionMs: number;
}

/** Destination of the configuration; without a tenant, that of an only warehouse. */
type ConfiguredRef = Pick<DestinationRef, 'name'> & { readonly tenant: string | undefined };

const openStages = subjectKinds.flatMap((kind) => openStagesOf(kind).map((stage) => ({ kind, stage })));

/** Each statement reads a bounded part of an index. `configured` are destinations that the store may not know. */
export function createStoredReading({
  reads: db,
  now,
  waiting,
  configured = [],
}: ListingDeps & {
  readonly waiting: () => number;
  readonly configured?: readonly ConfiguredRef[];
}): () => Promise<StoredGauges> {
  return async () => {
    const quarantined = await countQuarantinedBy(db);
    const [deadLetters, unsent] = await runCounts(db, [countDeadLetters, countUnsent]);
    const subjects = (await countEach(db, openStages, countStage)).map(({ item, ...count }) => ({ ...item, ...count }));
    return {
      at: now(),
      waiting: { count: waiting(), since: await oldestWaiting(db) },
      quarantined,
      deadLetters: deadLetters.count,
      unsent,
      destinations: await findPaused(db, configured),
      subjects,
      attention: await countAttention(db, COUNTED),
      due: await countDueBy(db, now()),
      oldestTransactionMs: (await findOldestTransaction(db))?.ms ?? 0,
    };
  };
}

const reasonOf = (disabler: Pauser | null) =>
  disabler === null ? null : ({ person: 'by hand', dockline: 'stopped' } as const)[disabler];

/** Finds all destinations, with the reason why nothing is sent to them. */
async function findPaused(
  db: Kysely<Database>,
  configured: readonly ConfiguredRef[],
): Promise<StoredGauges['destinations']> {
  const stored = await destinationState(db);
  const only = await findOnlyTenant(db);
  const refs = configured.map(({ tenant = only, name }) => ({ tenant, name }));
  const isStored = ({ tenant, name }: DestinationRef) => stored.some((it) => it.tenant === tenant && it.name === name);
  return [
    ...stored.map(({ tenant, name, ...it }) => ({
      tenant,
      name,
      paused: reasonOf(disablerOf(it)),
    })),
    ...refs.flatMap((ref) => (isStored(ref) ? [] : [{ ...ref, paused: null }])),
  ];
}

/** Category of the reason of a quarantined delivery. */
const quarantineCategory = sql`case ${sql.join(
  Object.entries(quarantineBeginnings).flatMap(([name, beginnings]) =>
    beginnings.map((text) => sql`when substr(quarantine_reason, 1, ${sql.lit(text.length)}) = ${text} then ${name}`),
  ),
  sql` `,
)} else 'other' end`;

/**
 * Counts quarantined deliveries by category. It reads an index alone, by the alphabet: beyond the limit the last are left out, which are
 * those that a sender can cause at will.
 */
async function countQuarantinedBy(db: Kysely<Database>): Promise<Readonly<Record<QuarantineCategory, number>>> {
  const { rows } = await sql<{ category: QuarantineCategory; count: number }>`
    select category, count(*) as count from (
      select ${quarantineCategory} as category from inbox where quarantine_reason is not null
      order by quarantine_reason limit ${COUNTED}) as counted
    group by category`.execute(db);
  const countOf = (one: QuarantineCategory) => Number(rows.find((row) => row.category === one)?.count ?? 0);
  return Object.fromEntries(quarantineCategories.map((one) => [one, countOf(one)])) as Record<
    QuarantineCategory,
    number
  >;
}
