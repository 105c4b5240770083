import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { nameOf, subjectAddress } from '../../admin/board/addresses.ts';
import { filterForm } from '../../admin/board/filter-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { listEnd, nowrap, table } from '../../admin/board/table.ts';
import { ago, untrusted } from '../../admin/board/text.ts';
import { conditionsOf, filterBy, type Given } from '../../admin/filter.ts';
import { explained, moment, names, rowId, text } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { parseSubjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { Database } from '../../store/schema.ts';
import { receivedAround } from '../tables/received.ts';
import { isWaiting } from '../tables/waiting.ts';
import { selectWebhooks, toWebhook, type Webhook, webhookRow } from './webhook.ts';

/** States of a webhook: it waits to be recorded, is recorded, or was not understood. */
const states = {
  waiting: isWaiting,
  recorded: sql<boolean>`observed_at is not null`,
  quarantined: sql<boolean>`quarantine_reason is not null`,
} as const;

const filters = {
  since: filterBy(moment.describe('only those received since then'), {
    label: 'Since',
    where: (at) => sql`received_at >= ${at}`,
  }),
  until: filterBy(moment.describe('only those received until then'), {
    label: 'Until',
    where: (at) => sql`received_at <= ${at}`,
  }),
  state: filterBy(z.enum(Object.keys(states) as (keyof typeof states)[]).describe('only in this state'), {
    label: 'State',
    where: (state) => states[state],
  }),
  kind: filterBy(z.enum(subjectKinds).describe('only about subjects of this kind'), {
    label: 'Kind',
    where: (kind) => startsWith(sql.ref('subject_key'), `${kind}:`),
  }),
  event: filterBy(
    explained(text, 'only events of this name; OrderPack* stands for all that begin with OrderPack', 'OrderConfirm'),
    { label: 'Event', where: (event, { reads }) => isNamed(reads, event) },
  ),
  customer: filterBy(names.customer, { label: 'Customer', where: (customer) => sql`customer_id = ${customer}` }),
  tenant: filterBy(names.tenant, { label: 'Account', where: (tenant) => sql`tenant = ${tenant}` }),
};

/** Not "like", because it ignores case in SQLite. */
const startsWith = (text: RawBuilder<unknown>, beginning: string): RawBuilder<boolean> =>
  sql`substr(${text}, 1, ${sql.lit(beginning.length)}) = ${beginning}`;

function isNamed(db: Kysely<Database>, event: string): RawBuilder<boolean> {
  const name = isPostgres(db) ? sql`event::json ->> 'name'` : sql`json_extract(event, '$.name')`;
  return event.endsWith('*') ? startsWith(name, event.slice(0, -1)) : sql`${name} = ${event}`;
}

async function matching(reads: Kysely<Database>, given: Given<typeof filters>) {
  const conditions = [...(await receivedAround(reads, given)), ...conditionsOf(filters, given, reads)];
  return conditions.reduce((rows, it) => rows.where(it), reads.selectFrom('inbox'));
}

/** Webhooks that were accepted, newest first. What was sent again under the same id is one of them. */
export const webhookList = defineList({
  path: '/webhooks',
  summary: 'Lists the webhooks that were accepted, newest first',
  tag: 'Webhooks',
  description:
    'Use it to check whether the warehouse sent something, and when. An event that was delivered several times is one row. Bodies are left out; `GET /webhooks/{id}` has them.',
  names: { row: 'Webhook', page: 'WebhookPage' },
  filters,
  place: rowId,
  row: webhookRow,
  columns: ['id', 'event', 'subject', 'receivedAt', 'observedAt', 'reason', 'eventId', 'tenant'],

  async read({ reads }, { after, ...filter }, limit) {
    let rows = await matching(reads, filter);
    if (after !== undefined) rows = rows.where('id', '<', after);
    return (await selectWebhooks(reads, rows).orderBy('id', 'desc').limit(limit).execute()).map(toWebhook);
  },
  count: async ({ reads }, filter) => countMatching(reads, await matching(reads, filter)),
  placeOf: ({ id }) => String(id),

  html: (shown) => ({
    title: 'Webhooks',
    section: 'webhooks',
    content: html`<h1>Webhooks</h1>
<p class="muted">Webhooks from the warehouse that Dockline accepted, each event once, newest first. <a href="/board/quarantine">Quarantine</a></p>
${filterForm(shown)}
${shown.rows.length === 0 ? html`<p class="empty">No webhooks. Older ones may have been purged.</p>` : webhookTable(shown.rows, shown.now)}
${listEnd(shown)}`,
  }),
});

const webhookTable = (rows: readonly Webhook[], now: number): Markup =>
  table({
    label: 'Webhooks',
    columns: ['Event', 'About', 'Account', nowrap('Received'), 'State', 'Id'],
    rows: rows.map((row) => ({
      id: String(row.id),
      cells: [
        html`<a href="/board/deliveries/${row.id}">${untrusted(row.event ?? row.eventId, 60)}</a>`,
        row.subject !== null && subjectLink(row.subject),
        untrusted(row.tenant, 40),
        ago(row.receivedAt, now),
        stateOf(row),
        untrusted(row.eventId, 40),
      ],
    })),
  });

function subjectLink(key: string): Markup {
  const subject = parseSubjectKey(key);
  return subject ? html`<a href="${subjectAddress(subject)}">${untrusted(nameOf(subject), 60)}</a>` : untrusted(key);
}

function stateOf({ reason, observedAt }: Webhook): Markup {
  if (reason !== null) return html`<span class="badge warn">in quarantine</span> ${untrusted(reason, 80)}`;
  return html`<span class="badge ${observedAt !== null && 'good'}">${observedAt === null ? 'waits' : 'recorded'}</span>`;
}
