import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { html, type Markup } from '../../admin/board/html.ts';
import { number } from '../../admin/board/text.ts';
import { names } from '../../admin/queries.ts';
import { count, dateOrNull, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { plural } from '../../base/text.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { details } from '../../domain/detail.ts';
import { attemptOutcomes } from '../../domain/exchange.ts';
import { countThings } from '../../domain/health/incident.ts';
import type { ConfiguredDestination, DestinationRef } from '../../domain/routing.ts';
import { COUNTED, countEach } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { findOnlyTenant } from '../../subjects/tables/subject-search.ts';
import { countAttempts } from '../tables/counts.ts';
import { destinationState, disablerOf } from '../tables/destinations.ts';
import { identityOf } from '../tables/identities.ts';

/** Where destinations come from. */
export const origins = ['configured', 'added'] as const;

/** Number of unsent announcements, which are counted up to a limit. */
export const unsentCount = (what: string) => count.describe(`${what}; at most ${COUNTED}.`);

export const destinationStates = ['active', 'failing', 'paused', 'stopped'] as const;

export const destinationRow = z.object({
  tenant: z.string(),
  name: z.string(),
  origin: z.enum(origins).describe('Where it is changed: in the configuration, or here.'),
  address: z.string().describe('Without user, password and query.'),
  kinds: listOf(z.enum(subjectKinds)).describe('Kinds of subjects that it wants; empty for all.'),
  types: listOf(z.string()).describe('Patterns of types that it wants; empty for all.'),
  customers: listOf(z.string()).describe('Customers whose subjects it wants; empty for all.'),
  detail: z.enum(details).describe('How much of an announcement it gets.'),
  maxBytes: count.nullable().describe('Limit of `bounded`.'),
  hasRecordsToken: z.boolean().describe('Its receiver can fetch what is left out.'),
  state: z
    .enum(destinationStates)
    .describe(
      '`paused` by a person, or `stopped` by Dockline, since it wants nothing more or has failed for too long.',
    ),
  since: instant.nullable().describe('Time since which it fails, or nothing is sent to it.'),
  because: z.string().nullable().describe('Reason why nothing is sent to it, or its last error.'),
  unsent: unsentCount('Announcements that it has not acknowledged, dead letters included'),
  deadLetters: count,
  replays: count.describe('Those of them that somebody had sent again.'),
  oldestUnsentAt: instant.nullable().describe('Since when the oldest waits; a replay since it was asked for.'),
  successRate: z
    .number()
    .nullable()
    .describe('Share of its attempts of the last six hours that it acknowledged; null without any.'),
  p95Ms: count.nullable().describe('95th percentile of how long its newest acknowledgments took.'),
});

export type DestinationRow = z.output<typeof destinationRow>;

/** Destination without what waits for it. */
type KnownDestination = Omit<DestinationRow, keyof Awaited<ReturnType<typeof countUnsent>> | 'successRate' | 'p95Ms'>;

/** Finds all destinations, those that are configured and those that were added, by account and name. */
export async function findDestinations({
  reads,
  configured,
}: Pick<Sources, 'reads' | 'configured'>): Promise<readonly KnownDestination[]> {
  const stored = await destinationState(reads);
  const only = await findOnlyTenant(reads);
  const known = configured.map(({ tenant = only, ...it }) => ({ tenant, origin: 'configured' as const, ...it }));
  const added = stored.flatMap(({ tenant, name, settings }) =>
    settings === null ? [] : [{ tenant, name, origin: 'added' as const, ...(JSON.parse(settings) as Settings) }],
  );
  const all = [...known, ...added].map(({ tenant, name, origin, address, ...it }) => {
    const known = stored.find((row) => row.tenant === tenant && row.name === name) ?? nothingKnown;
    const { paused_at, paused_because, failing_since, last_error } = known;
    return {
      tenant,
      name,
      origin,
      address,
      kinds: it.kinds ?? [],
      types: it.types ?? [],
      customers: it.customers ?? [],
      detail: it.detail ?? 'full',
      maxBytes: it.maxBytes ?? null,
      hasRecordsToken: it.hasRecordsToken ?? false,
      state: stateOf(known),
      since: dateOrNull(paused_at ?? failing_since),
      because: paused_at !== null ? paused_because : failing_since === null ? null : last_error,
    };
  });
  return all.sort(compareRefs);
}

/** Adds what waits for destinations. */
export const countAllUnsent = (
  { reads }: Pick<Sources, 'reads'>,
  found: readonly KnownDestination[],
): Promise<readonly DestinationRow[]> =>
  Promise.all(found.map(async (it) => ({ ...it, ...(await countUnsent(reads, it)), ...(await measure(reads, it)) })));

/** Reads destinations with what waits for them. */
export const readDestinations = async (
  sources: Pick<Sources, 'reads' | 'configured'>,
  isMeant: (ref: DestinationRef) => boolean,
): Promise<readonly DestinationRow[]> => countAllUnsent(sources, (await findDestinations(sources)).filter(isMeant));

/** Orders destinations by account and name. */
export const compareRefs = (a: DestinationRef, b: DestinationRef): number =>
  compare(a.tenant, b.tenant) || compare(a.name, b.name);

type Settings = Omit<ConfiguredDestination, 'tenant' | 'name'>;

const nothingKnown = { paused_at: null, paused_by: null, paused_because: null, failing_since: null, last_error: null };

type Known = Pick<Awaited<ReturnType<typeof destinationState>>[number], keyof typeof nothingKnown>;

function stateOf(known: Known): DestinationRow['state'] {
  const disabler = disablerOf(known);
  if (disabler !== null) return disabler === 'dockline' ? 'stopped' : 'paused';
  return known.failing_since === null ? 'active' : 'failing';
}

/** Reports whether nothing is sent to it. */
export const isSilent = ({ state }: Pick<DestinationRow, 'state'>): boolean =>
  state === 'paused' || state === 'stopped';

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

async function countUnsent(reads: Kysely<Database>, { tenant, name }: DestinationRef) {
  const counted = await sql<{ unsent: number; dead: number; replays: number; oldest: number | null }>`
    select count(*) as unsent, count(dead_lettered_at) as dead, min(coalesce(replayed_at, created_at)) as oldest,
      sum(case when dead_lettered_at is null and replayed_at is not null then 1 else 0 end) as replays from (
      select dead_lettered_at, created_at, replayed_at from ${sql.table('outbox')} where tenant = ${tenant} and destination = ${identityOf({ tenant, name })} and sent_at is null
      order by created_at limit ${COUNTED}) as counted`.execute(reads);
  const { unsent = 0, dead = 0, replays, oldest = null } = counted.rows[0] ?? {};
  return { unsent, deadLetters: dead, replays: Number(replays ?? 0), oldestUnsentAt: dateOrNull(oldest) };
}

/** Time for which attempts are counted, in milliseconds, and number of acknowledgments that are measured. */
const MEASURED_MS = 21_600_000;
const MEASURED = 200;

/** Measures how well a destination answers. */
async function measure(reads: Kysely<Database>, { tenant, name }: DestinationRef) {
  const to = Date.now();
  const counted = await countEach(reads, attemptOutcomes, (outcome) =>
    countAttempts({ tenant, name, outcome, from: to - MEASURED_MS, to }),
  );
  const all = counted.reduce((sum, { count }) => sum + count, 0);
  const delivered = counted.find(({ item }) => item === 'delivered')?.count ?? 0;
  const newest = await reads
    .selectFrom('attempts')
    .select('ms')
    .where(({ and }) => and({ tenant, destination: identityOf({ tenant, name }), outcome: 'delivered' }))
    .orderBy('at', 'desc')
    .limit(MEASURED)
    .execute();
  const sorted = newest.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    successRate: all === 0 ? null : delivered / all,
    p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null,
  };
}

/** Path parameters of a destination. */
export const destinationParams = z.object({
  tenant: names.tenant.describe('Warehouse account.'),
  name: names.destination.describe('Name of the destination.'),
});

/** Shows its state. */
export const stateBadge = ({ state }: DestinationRow): Markup =>
  html`<span class="badge ${state === 'active' ? 'good' : 'warn'}">${state}</span>`;

/** Writes a number that is counted up to a limit. */
const inWords = (counted: number): string => `${number(counted)}${counted === COUNTED ? ' or more' : ''}`;

/** Counts announcements up to a limit in words. */
export const announcements = (count: number): string =>
  countThings({ count, isMore: count === COUNTED, unit: 'announcement' });

/** Says how much it has not acknowledged: on hold if nothing is sent to it, and replays apart. */
export function unsent(row: DestinationRow): string {
  const { unsent: all, deadLetters, replays } = row;
  const own = all - deadLetters - replays;
  const parts = [
    `${inWords(own)}${isSilent(row) && own > 0 ? ' on hold' : ''}`,
    ...(replays > 0 ? [plural(replays, 'replay')] : []),
    ...(deadLetters > 0 ? [plural(deadLetters, 'dead letter')] : []),
  ];
  return parts.join(', ');
}

/** Writes a share, such as `99.8%`. What is not whole is never rounded up to be. */
export const percent = (share: number): string => `${Math.floor(share * 1000) / 10}%`;

/** Says what it wants. */
export function wanted({ kinds, types, customers }: DestinationRow): string {
  const parts = [kinds, types, customers.map((id) => `customer ${id}`)].map((it) => it.join(', ')).filter(Boolean);
  return parts.join('; ') || 'all';
}

/** Names how much of an announcement a destination gets. */
export function extentOf({ detail, maxBytes }: DestinationRow): string {
  if (detail === 'thin') return 'no records';
  return maxBytes === null ? 'full' : `up to ${number(maxBytes)} bytes, then without the largest records`;
}
