import type { Kysely } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { nameOf, subjectAddress } from '../../admin/board/addresses.ts';
import { html } from '../../admin/board/html.ts';
import { notice } from '../../admin/board/notice.ts';
import { fact } from '../../admin/board/table.ts';
import { untrusted, when, whole } from '../../admin/board/text.ts';
import { idParams } from '../../admin/queries.ts';
import { bodyMembers, bodySection, fileOf, readBody } from '../../admin/views/body.ts';
import { dateOrNull, defineView, instant, type Sources } from '../../admin/views/view.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import type { Database } from '../../store/schema.ts';
import { bodyColumns, withBody } from '../tables/bodies.ts';
import { bytesReceived } from '../tables/quarantined.ts';
import { quarantinedRow } from './quarantine.ts';

/** Row of a webhook, without its body. */
export const webhookRow = quarantinedRow.extend({
  reason: z.string().nullable().describe('Reason why it is quarantined; null if it was understood.'),
  subject: z.string().nullable().describe('Key of its subject.'),
  event: z.string().nullable().describe('Name of its event; null if that is not known, or was purged.'),
  happenedAt: instant.nullable(),
  observedAt: instant.nullable().describe('Time of its recording; null as long as it waits or is quarantined.'),
});

/** Webhook, without its body. */
export type Webhook = z.output<typeof webhookRow>;

/** Selects webhooks without their bodies. */
export const selectWebhooks = (reads: Kysely<Database>, from = reads.selectFrom('inbox')) =>
  from
    .select(['id', 'event_id', 'endpoint', 'tenant', 'subject_key', 'event', 'quarantine_reason'])
    .select(['received_at', 'observed_at', bytesReceived.as('bytes')]);

type Stored = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['executeTakeFirstOrThrow']>>;

/** Reads a selected webhook. */
export function toWebhook({ id, endpoint, tenant, bytes, ...it }: Stored): Webhook {
  const event = it.event === null ? null : (JSON.parse(it.event) as WarehouseEvent);
  return {
    id,
    eventId: it.event_id,
    endpoint,
    tenant,
    reason: it.quarantine_reason,
    receivedAt: new Date(it.received_at),
    bytes,
    subject: it.subject_key,
    event: event?.name ?? null,
    happenedAt: dateOrNull(event?.time ?? null),
    observedAt: dateOrNull(it.observed_at),
  };
}

async function find({ reads }: Sources, { id }: { readonly id: number }) {
  const row = await selectWebhooks(reads).select(bodyColumns).where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { body, ...stored } = await withBody(row);
  return { ...toWebhook(stored), ...readBody(body) };
}

/** Quarantined webhook with its body. */
export const quarantinedView = defineView({
  call: {
    path: '/quarantine/{id}',
    id: 'getQuarantined',
    summary: 'Shows a quarantined delivery with its body',
    tag: 'Webhooks',
    description:
      'Use it to see why a delivery was not understood. The body may name people; it is null once it was purged. 404 if the delivery is not in quarantine.',
    role: 'bodies',
    row: webhookRow.extend({ reason: z.string(), ...bodyMembers }),
    name: 'ShownQuarantinedEvent',
  },
  params: idParams,
  missing: 'The event is not quarantined.',
  async read(sources, params) {
    const webhook = await find(sources, params);
    return webhook && webhook.reason !== null ? { ...webhook, reason: webhook.reason } : undefined;
  },
});

/** Webhook with its body, wherever it stands. */
export const webhookView = defineView({
  call: {
    path: '/webhooks/{id}',
    id: 'getWebhook',
    summary: 'Shows a webhook with its body',
    tag: 'Webhooks',
    description:
      'What the warehouse sent, wherever it stands now. The body may name people; it is null once it was purged. 404 if there is no such webhook.',
    role: 'bodies',
    row: webhookRow.extend(bodyMembers),
    name: 'ShownWebhook',
  },
  page: {
    path: '/deliveries/{id}',
    html({ row, caller, done }) {
      const { id, eventId, subject, event, reason, happenedAt, receivedAt, observedAt } = row;
      const about = subject === null ? undefined : parseSubjectKey(subject);
      return {
        title: `Webhook ${eventId}`,
        section: 'webhooks',
        content: html`
<p>${about ? html`<a href="${subjectAddress(about)}">${untrusted(nameOf(about))}</a>` : html`<a href="/board/quarantine">Quarantine</a>`}</p>
<h1><span class="aside">Webhook </span>${untrusted(event ?? eventId)}${reason !== null && html` <span class="badge warn big">in quarantine</span>`}</h1>
${notice(done)}
<dl class="facts">
${fact('Reason', reason !== null && whole(reason))}
${fact('Event', untrusted(eventId))}
${fact('Account', untrusted(row.tenant))}
${fact('Endpoint', untrusted(row.endpoint))}
${fact('Happened', happenedAt !== null && when(happenedAt))}
${fact('Received', when(receivedAt))}
${fact('Recorded', reason === null && (observedAt === null ? 'not yet' : when(observedAt)))}
</dl>
${reason !== null && may(caller, 'act') && html`<div class="actions"><form method="post" action="/board/quarantine/${id}/replay"><button>Replay</button></form></div>`}
${bodySection(row, `/board/deliveries/${id}/body`, caller)}`,
      };
    },
    file: (row) => fileOf(`webhook-${row.id}.json`, row),
  },
  params: idParams,
  missing: 'The webhook does not exist, or it was purged.',
  read: find,
});
