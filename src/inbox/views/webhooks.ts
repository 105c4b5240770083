import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { subjectLink } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { untrusted } from '../../admin/board/text.ts';
import { atLeast, atMost, equals, explained, fieldBy, moment, names, text } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { newestFirst } from '../../admin/views/place.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { Database } from '../../store/schema.ts';
import { isCustomer, subjectNames, withNames } from '../../store/subjects.ts';
import { isWaiting } from '../tables/waiting.ts';
import { selectWebhooks, toWebhook, type Webhook, webhookRow } from './webhook.ts';

/** Between the clocks of receiving processes. */
const SKEW_MS = 600_000;

/** By row numbers, which are given in the order of receipt: an index of times would cost every webhook something. */
async function receivedAround(
  db: Kysely<Database>,
  { since, until }: { readonly since?: number; readonly until?: number },
) {
  return [
    ...(since === undefined ? [] : [sql<boolean>`id >= ${await firstSince(db, since - SKEW_MS)}`]),
    ...(until === undefined ? [] : [sql<boolean>`id < ${await firstSince(db, until + SKEW_MS)}`]),
  ];
}

async function firstSince(db: Kysely<Database>, time: number): Promise<number> {
  const ends = await sql<{ least: number | null; most: number | null }>`select
    (select min(id) from ${sql.table('inbox')}) as least, (select max(id) from ${sql.table('inbox')}) as most`.execute(
    db,
  );
  let low = ends.rows[0]?.least ?? 0;
  let high = (ends.rows[0]?.most ?? -1) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await db
      .selectFrom('inbox')
      .select(['id', 'received_at as at'])
      .where('id', '>=', middle)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!next || next.at >= time) high = middle;
    else low = next.id + 1;
  }
  return low;
}

const states = {
  waiting: isWaiting,
  recorded: sql<boolean>`observed_at is not null`,
  quarantined: sql<boolean>`quarantine_code is not null`,
} as const;

const filters = {
  since: fieldBy(moment.describe('only those received since then'), atLeast('received_at')),
  until: fieldBy(moment.describe('only those received until then'), atMost('received_at')),
  state: fieldBy(
    z.enum(Object.keys(states) as (keyof typeof states)[]).describe('only in this state'),
    (state) => states[state],
  ),
  kind: fieldBy(z.enum(subjectKinds).describe('only about subjects of this kind'), (kind) =>
    startsWith(sql.ref('subject_key'), `${kind}:`),
  ),
  event: fieldBy(
    explained(text, 'only events of this name; OrderPack* stands for all that begin with OrderPack', 'OrderConfirm'),
    (event, { reads }) => isNamed(reads, event),
  ),
  customer: fieldBy(names.customer, (customer, { reads }) => isCustomer(reads, 'customer_id', customer)),
  tenant: fieldBy(names.tenant, equals('tenant'), { label: 'Account' }),
};

/** Not "like", because it ignores case in SQLite. */
const startsWith = (text: RawBuilder<unknown>, beginning: string): RawBuilder<boolean> =>
  sql`substr(${text}, 1, ${sql.lit(beginning.length)}) = ${beginning}`;

function isNamed(db: Kysely<Database>, event: string): RawBuilder<boolean> {
  const name = isPostgres(db) ? sql`event::json ->> 'name'` : sql`json_extract(event, '$.name')`;
  return event.endsWith('*') ? startsWith(name, event.slice(0, -1)) : sql`${name} = ${event}`;
}

/** A webhook that was sent again under the same id counts once. */
export const webhookList = defineList({
  path: '/webhooks',
  summary: 'Lists the webhooks that were accepted, newest first',
  tag: 'Webhooks',
  description:
    'Use it to check whether the warehouse sent something, and when. An event that was delivered several times is one row. Bodies are left out; `GET /webhooks/{id}` has them.',
  names: { row: 'Webhook', page: 'WebhookPage' },
  filters,
  row: webhookRow.extend(subjectNames),
  columns: {
    id: {},
    event: {
      cell: ({ id, event, eventId }) => html`<a href="/board/deliveries/${id}">${untrusted(event ?? eventId, 60)}</a>`,
    },
    subject: { head: 'About', cell: (row) => row.subject !== null && subjectLink(row.subject, row) },
    receivedAt: { head: 'Received', as: 'nowrap' },
    observedAt: { head: 'Recorded' },
    state: { cell: stateOf },
    reason: {},
    eventId: { as: 'text' },
    tenant: { head: 'Account', as: 'text' },
  },

  select: async ({ reads }, given) =>
    (await receivedAround(reads, given)).reduce((rows, it) => rows.where(it), selectWebhooks(reads)),
  order: () => newestFirst,
  toRows: ({ reads }, stored) => withNames(reads, stored.map(toWebhook)),

  page: () => ({
    title: 'Webhooks',
    section: 'webhooks',
    about: html`<p class="muted">Webhooks from the warehouse that Dockline accepted, each event once, newest first. <a href="/board/quarantine">Quarantine</a></p>`,
    empty: 'No webhooks. Older ones may have been purged.',
  }),
});

function stateOf({ reason, observedAt }: Webhook): Markup {
  if (reason !== null) return html`<span class="badge warn">in quarantine</span> ${untrusted(reason, 80)}`;
  return html`<span class="badge ${observedAt !== null && 'good'}">${observedAt === null ? 'waits' : 'recorded'}</span>`;
}
