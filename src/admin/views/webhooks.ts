import { z } from 'zod';
import { parseSubjectKey, subjectKinds } from '../../domain/catalogue/subject.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { deliveryStates, receivedRows } from '../../store/tables/received.ts';
import { nameOf, subjectAddress } from '../board/addresses.ts';
import { filterForm } from '../board/filter-form.ts';
import { html, type Markup } from '../board/html.ts';
import { listEnd, table, unbroken } from '../board/table.ts';
import { ago, foreign } from '../board/text.ts';
import { explained, moment, names, rowId, text } from '../queries.ts';
import { defineList } from './list.ts';
import { selectWebhooks, toWebhook, type Webhook, webhookRow } from './webhook.ts';

/** Webhooks that were accepted, newest first. What was sent again under the same id is one of them. */
export const webhookList = defineList({
  path: '/webhooks',
  summary: 'Lists the webhooks that were accepted, newest first',
  tag: 'Webhooks',
  description:
    'Use it to check whether the warehouse sent something, and when. An event that was delivered several times is one row. Bodies are left out; `GET /webhooks/{id}` has them.',
  names: { row: 'Webhook', page: 'WebhookPage' },
  filters: {
    since: moment.exactOptional().describe('only those received since then'),
    until: moment.exactOptional().describe('only those received until then'),
    kind: z.enum(subjectKinds).exactOptional().describe('only about subjects of this kind'),
    event: explained(
      text,
      'only events of this name; OrderPack* stands for all that begin with OrderPack',
      'OrderConfirm',
    ).exactOptional(),
    state: z.enum(deliveryStates).exactOptional().describe('only in this state'),
    customer: names.customer.exactOptional(),
    tenant: names.tenant.exactOptional(),
  },
  place: rowId,
  row: webhookRow,
  columns: ['id', 'event', 'subject', 'receivedAt', 'observedAt', 'reason', 'eventId', 'tenant'],

  async read({ reads }, { after, ...filter }, limit) {
    let rows = await receivedRows(reads, filter);
    if (after !== undefined) rows = rows.where('id', '<', after);
    return (await selectWebhooks(reads, rows).orderBy('id', 'desc').limit(limit).execute()).map(toWebhook);
  },
  count: async ({ reads }, filter) => countMatching(reads, await receivedRows(reads, filter)),
  placeOf: ({ id }) => String(id),

  html: (shown) => ({
    title: 'Webhooks',
    section: 'webhooks',
    content: html`<h1>Webhooks</h1>
<p class="muted">Webhooks from the warehouse that Dockline accepted, each event once, newest first. <a href="/board/quarantine">Quarantine</a></p>
${filterForm(shown, labels)}
${shown.rows.length === 0 ? html`<p class="empty">No webhooks. Older ones may have been purged.</p>` : webhookTable(shown.rows, shown.now)}
${listEnd(shown)}`,
  }),
});

/** Words for the fields of the form. */
const labels = {
  since: 'Since',
  until: 'Until',
  state: 'State',
  kind: 'Kind',
  event: 'Event',
  customer: 'Customer',
  tenant: 'Account',
} as const;

const webhookTable = (rows: readonly Webhook[], now: number): Markup =>
  table({
    label: 'Webhooks',
    columns: ['Event', 'About', 'Account', unbroken('Received'), 'State', 'Id'],
    rows: rows.map((row) => ({
      id: String(row.id),
      cells: [
        html`<a href="/board/deliveries/${row.id}">${foreign(row.event ?? row.eventId, 60)}</a>`,
        row.subject !== null && subjectLink(row.subject),
        foreign(row.tenant, 40),
        ago(row.receivedAt, now),
        stateOf(row),
        foreign(row.eventId, 40),
      ],
    })),
  });

function subjectLink(key: string): Markup {
  const subject = parseSubjectKey(key);
  return subject ? html`<a href="${subjectAddress(subject)}">${foreign(nameOf(subject), 60)}</a>` : foreign(key);
}

function stateOf({ reason, observedAt }: Webhook): Markup {
  if (reason !== null) return html`<span class="badge warn">in quarantine</span> ${foreign(reason, 80)}`;
  return html`<span class="badge ${observedAt !== null && 'good'}">${observedAt === null ? 'waits' : 'recorded'}</span>`;
}
