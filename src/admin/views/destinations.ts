import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { details } from '../../domain/detail.ts';
import type { DestinationRef } from '../../domain/routing.ts';
import type { Database } from '../../store/schema.ts';
import { destinationState, silencerOf } from '../../store/tables/destinations.ts';
import { findOnlyTenant } from '../../store/tables/subject-search.ts';
import { destinationAddress } from '../board/addresses.ts';
import { html, type Markup } from '../board/html.ts';
import { notice } from '../board/notice.ts';
import { table, unbroken } from '../board/table.ts';
import { ago, foreign, number, plural } from '../board/text.ts';
import type { ConfiguredDestination } from '../destination-control.ts';
import { text } from '../queries.ts';
import { count, dateOrNull, defineView, instant, listOf, type Shown, type Sources } from './view.ts';

/** Number of unsent announcements that are counted for a destination. */
const COUNTED = 10_000;

/** Row of a destination. */
export const destinationRow = z.object({
  tenant: z.string(),
  name: z.string(),
  origin: z.enum(['configured', 'added']).describe('Where it is changed: in the configuration, or here.'),
  address: z.string().describe('Without user, password and query.'),
  kinds: listOf(z.enum(subjectKinds)).describe('Kinds of subjects that it wants; empty for all.'),
  types: listOf(z.string()).describe('Patterns of types that it wants; empty for all.'),
  customers: listOf(z.string()).describe('Customers whose subjects it wants; empty for all.'),
  mode: z.string(),
  detail: z.enum(details).describe('How much of an announcement it gets.'),
  maxBytes: count.nullable().describe('Limit of `bounded`.'),
  hasRecordsToken: z.boolean().describe('Its receiver can fetch what is left out.'),
  state: z
    .enum(['active', 'failing', 'paused', 'stopped'])
    .describe(
      '`paused` by a person, or `stopped` by Dockline, since it wants nothing more or has failed for too long.',
    ),
  since: instant.nullable().describe('Time since which it fails, or nothing is sent to it.'),
  because: z.string().nullable().describe('Reason why nothing is sent to it, or its last error.'),
  unsent: count.describe(`Announcements that it has not acknowledged, dead letters included; at most ${COUNTED}.`),
  deadLetters: count,
  oldestUnsentAt: instant.nullable(),
});

/** Destination. */
export type DestinationRow = z.output<typeof destinationRow>;

/** Reads destinations, by default all: those that are configured, and those that were added. */
export async function readDestinations(
  { reads, configured }: Pick<Sources, 'reads' | 'configured'>,
  isMeant: (ref: DestinationRef) => boolean = () => true,
): Promise<readonly DestinationRow[]> {
  const stored = await destinationState(reads);
  const only = await findOnlyTenant(reads);
  const known = configured.map(({ tenant = only, ...it }) => ({ tenant, origin: 'configured' as const, ...it }));
  const added = stored.flatMap(({ tenant, name, settings }) =>
    settings === null ? [] : [{ tenant, name, origin: 'added' as const, ...(JSON.parse(settings) as Settings) }],
  );
  const rows = [...known, ...added]
    .filter(isMeant)
    .map(async ({ tenant, name, origin, address, mode = 'structured', ...it }) => {
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
        mode,
        detail: it.detail ?? 'full',
        maxBytes: it.maxBytes ?? null,
        hasRecordsToken: it.hasRecordsToken ?? false,
        state: stateOf(known),
        since: dateOrNull(paused_at ?? failing_since),
        because: paused_at !== null ? paused_because : failing_since === null ? null : last_error,
        ...(await countUnsent(reads, { tenant, name })),
      };
    });
  return (await Promise.all(rows)).sort((a, b) => compare(a.tenant, b.tenant) || compare(a.name, b.name));
}

type Settings = Omit<ConfiguredDestination, 'tenant' | 'name'>;

const nothingKnown = { paused_at: null, paused_by: null, paused_because: null, failing_since: null, last_error: null };

type Known = Pick<Awaited<ReturnType<typeof destinationState>>[number], keyof typeof nothingKnown>;

function stateOf(known: Known): DestinationRow['state'] {
  const silencer = silencerOf(known);
  if (silencer !== null) return silencer === 'dockline' ? 'stopped' : 'paused';
  return known.failing_since === null ? 'active' : 'failing';
}

/** Reports whether nothing is sent to it. */
export const isSilent = ({ state }: Pick<DestinationRow, 'state'>): boolean =>
  state === 'paused' || state === 'stopped';

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

async function countUnsent(reads: Kysely<Database>, { tenant, name }: DestinationRef) {
  const counted = await sql<{ unsent: number; dead: number; oldest: number | null }>`
    select count(*) as unsent, count(dead_lettered_at) as dead, min(created_at) as oldest from (
      select dead_lettered_at, created_at from ${sql.table('outbox')} where tenant = ${tenant} and destination = ${name} and sent_at is null
      order by created_at limit ${COUNTED}) as counted`.execute(reads);
  const { unsent = 0, dead = 0, oldest = null } = counted.rows[0] ?? {};
  return { unsent, deadLetters: dead, oldestUnsentAt: dateOrNull(oldest) };
}

/** All destinations. */
export const destinationList = defineView({
  call: {
    path: '/destinations',
    id: 'listDestinations',
    summary: 'Lists the destinations of all warehouses with what waits for them',
    role: 'read',
    row: z.object({ items: listOf(destinationRow) }),
    name: 'Destinations',
    parts: { Destination: destinationRow },
  },
  page: { path: '/destinations', html: listPage },
  params: z.object({}),
  read: async (sources) => ({ items: await readDestinations(sources) }),
});

/** Path parameters of a destination. */
export const destinationParams = z.object({ tenant: text, name: text });

function listPage({ row: { items }, now, done }: Shown<{ readonly items: readonly DestinationRow[] }>) {
  return {
    title: 'Destinations',
    section: '/board/system',
    content: html`<h1>Destinations</h1>
${notice(done)}
<p class="muted">Who gets the announcements of each warehouse. <code>npm run admin -- destination</code> adds and changes others.</p>
${table({
  label: 'Destinations',
  columns: [
    'Destination',
    'Account',
    'Address',
    'Wants',
    unbroken('State'),
    unbroken('Not acknowledged'),
    unbroken('Oldest'),
  ],
  rows: items.map((row) => ({
    cells: [
      html`<a href="${destinationAddress(row)}">${row.name}</a>`,
      foreign(row.tenant),
      foreign(row.address),
      wanted(row),
      stateBadge(row),
      unsent(row),
      row.oldestUnsentAt && ago(row.oldestUnsentAt, now),
    ],
  })),
})}`,
  };
}

/** Shows its state. */
export const stateBadge = ({ state }: DestinationRow): Markup =>
  html`<span class="badge ${state === 'active' ? 'good' : 'warn'}">${state}</span>`;

/** Says how much it has not acknowledged. */
export const unsent = ({ unsent: all, deadLetters }: DestinationRow): string =>
  `${number(all)}${all === COUNTED ? ' or more' : ''}${deadLetters > 0 ? `, ${plural(deadLetters, 'dead letter')}` : ''}`;

/** Says what it wants. */
export function wanted({ kinds, types, customers }: DestinationRow): string {
  const parts = [kinds, types, customers.map((id) => `customer ${id}`)].map((it) => it.join(', ')).filter(Boolean);
  return parts.join('; ') || 'everything';
}

/** Names how much of an announcement a destination gets. */
export function extentOf({ detail, maxBytes }: DestinationRow): string {
  if (detail === 'thin') return 'no records';
  return maxBytes === null ? 'everything' : `up to ${number(maxBytes)} bytes, then without the largest records`;
}
