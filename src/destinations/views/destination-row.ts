import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { html, type Markup } from '../../admin/board/html.ts';
import { number } from '../../admin/board/text.ts';
import { names } from '../../admin/queries.ts';
import { count, dateOrNull, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { plural } from '../../base/text.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { countThings } from '../../domain/health/incident.ts';
import { details } from '../../domain/outgoing.ts';
import type { DestinationRef, IdentityRef } from '../../domain/routing.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { readRow, type Stored } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { countAttemptsIn } from '../tables/counts.ts';
import { destinationState, destinationStates, type selectDestinations } from '../tables/destinations.ts';

export const origins = ['configured', 'added'] as const;

export const unsentCount = (what: string) => count.describe(`${what}; at most ${COUNTED}.`);

export const destinationRow = z.object({
  tenant: z.string(),
  name: z.string(),
  id: z.string().describe('Its identity, which it keeps under another name, and by which alerts name it.'),
  origin: z.enum(origins).describe('Where it is changed: in the configuration, or here.'),
  address: z.string().describe('Without user, password and query.'),
  kinds: listOf(z.enum(subjectKinds)).describe('Kinds of subjects that it wants; empty for all.'),
  types: listOf(z.string()).describe('Patterns of types that it wants; empty for all.'),
  customers: listOf(z.string()).describe('Customers whose subjects it wants; empty for all.'),
  detail: z.enum(details).describe('How much of an announcement it gets.'),
  omit: listOf(z.string()).describe('Members that are left out of the advice.'),
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
});

export type DestinationRow = z.output<typeof destinationRow>;

const knownDestination = destinationRow.omit({
  ...{ unsent: true, deadLetters: true, replays: true, oldestUnsentAt: true, successRate: true },
});

type KnownDestination = z.output<typeof knownDestination>;

const usual = { kinds: [], types: [], customers: [], detail: 'full', omit: [], hasRecordsToken: false };

export const findDestinations = async ({ reads }: Pick<Sources, 'reads'>): Promise<readonly KnownDestination[]> =>
  (await destinationState(reads)).map(toDestination);

export function toDestination(known: Stored<typeof selectDestinations>): KnownDestination {
  const { is_configured, paused_at, paused_because, failing_since, last_error } = known;
  const settings: Pick<DestinationRow, 'address' | keyof typeof usual> = { ...usual, ...JSON.parse(known.settings) };
  return readRow(
    knownDestination,
    { ...settings, ...known },
    {
      origin: is_configured === 1 ? 'configured' : 'added',
      since: dateOrNull(paused_at ?? failing_since),
      because: paused_at !== null ? paused_because : failing_since === null ? null : last_error,
    },
  );
}

export const countAllUnsent = (
  { reads }: Pick<Sources, 'reads'>,
  found: readonly KnownDestination[],
): Promise<readonly DestinationRow[]> =>
  Promise.all(
    found.map(async (it) => ({
      ...it,
      ...(await countUnsent(reads, it)),
      successRate: await successRateOf(reads, it),
    })),
  );

export async function readDestination(sources: Pick<Sources, 'reads'>, { tenant, name }: DestinationRef) {
  const known = (await findDestinations(sources)).filter((it) => it.tenant === tenant && it.name === name);
  return (await countAllUnsent(sources, known))[0];
}

export const isSilent = ({ state }: Pick<DestinationRow, 'state'>): boolean =>
  state === 'paused' || state === 'stopped';

async function countUnsent(reads: Kysely<Database>, { tenant, id }: IdentityRef) {
  const counted = await sql<{ unsent: number; dead: number; replays: number; oldest: number | null }>`
    select count(*) as unsent, count(dead_lettered_at) as dead, min(coalesce(replayed_at, created_at)) as oldest,
      sum(case when dead_lettered_at is null and replayed_at is not null then 1 else 0 end) as replays from (
      select dead_lettered_at, created_at, replayed_at from ${sql.table('outbox')} where tenant = ${tenant} and destination = ${id} and sent_at is null
      order by created_at limit ${COUNTED}) as counted`.execute(reads);
  const { unsent = 0, dead = 0, replays, oldest = null } = counted.rows[0] ?? {};
  return { unsent, deadLetters: dead, replays: Number(replays ?? 0), oldestUnsentAt: dateOrNull(oldest) };
}

const MEASURED_MS = 21_600_000;

async function successRateOf(reads: Kysely<Database>, { tenant, id }: IdentityRef) {
  const begins = [Date.now() - MEASURED_MS];
  const [counted] = await countAttemptsIn(reads, [{ tenant, id }], { begins, ms: MEASURED_MS });
  const { delivered = 0, failed = 0, refused = 0 } = counted ?? {};
  const all = delivered + failed + refused;
  return all === 0 ? null : delivered / all;
}

export const auditTarget = ({ tenant, name }: DestinationRef) =>
  ({ type: 'destination', id: `${tenant} ${name}` }) as const;

export const destinationParams = z.object({
  tenant: names.tenant.describe('Warehouse account.'),
  name: names.destination.describe('Name of the destination.'),
});

export const stateBadge = ({ state }: DestinationRow): Markup =>
  html`<span class="badge ${state === 'active' ? 'good' : 'warn'}">${state}</span>`;

const inWords = (counted: number): string => `${number(counted)}${counted === COUNTED ? ' or more' : ''}`;

export const announcements = (count: number): string =>
  countThings({ count, isMore: count === COUNTED, unit: 'announcement' });

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

/** `99.8%`. Never rounded up to 100. */
export const percent = (share: number): string => `${Math.floor(share * 1000) / 10}%`;

export function wanted({ kinds, types, customers }: DestinationRow): string {
  const parts = [kinds, types, customers.map((id) => `customer ${id}`)].map((it) => it.join(', ')).filter(Boolean);
  return parts.join('; ') || 'all';
}

export function extentOf({ detail, omit }: DestinationRow): string {
  if (detail === 'thin') return 'no records';
  if (detail === 'advice') return `advice without records${omit.map((path) => `, without ${path}`).join('')}`;
  return 'full';
}
