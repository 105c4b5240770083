import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Caller, may } from '../../admin/access.ts';
import { subjectLink } from '../../admin/board/addresses.ts';
import { html } from '../../admin/board/html.ts';
import { fact } from '../../admin/board/table.ts';
import { untrusted, when, whole } from '../../admin/board/text.ts';
import { idParams } from '../../admin/queries.ts';
import { bodyMembers, bodySection, fileOf, readBody } from '../../admin/views/body.ts';
import { dateOrNull, defineView, instant, type Sources } from '../../admin/views/view.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { ownPartOf } from '../../domain/catalogue/record-customer.ts';
import { kindOf, parseSubjectKey } from '../../domain/catalogue/subject.ts';
import { holdsTenant } from '../../domain/permission.ts';
import { sayReason } from '../../domain/quarantine.ts';
import { columnsFor, readRow, type Stored } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { subjectNames, withNames } from '../../store/subjects.ts';
import { bytesReceived, readReason, reasonColumns } from '../tables/quarantined.ts';
import { quarantinedRow, reasonMembers } from './quarantine.ts';

export const webhookRow = quarantinedRow.extend({
  code: reasonMembers.code.nullable().describe('Reason why it is quarantined; null if it was understood.'),
  data: reasonMembers.data.nullable(),
  reason: reasonMembers.reason.nullable(),
  subject: z.string().nullable().describe('Key of its subject.'),
  event: z.string().nullable().describe('Name of its event; null if that is not known, or was purged.'),
  happenedAt: instant.nullable(),
  observedAt: instant.nullable().describe('Time of its recording; null as long as it waits or is quarantined.'),
});

export type Webhook = z.output<typeof webhookRow>;

export const selectWebhooks = (reads: Kysely<Database>) =>
  reads
    .selectFrom('inbox')
    .select([
      ...columnsFor('inbox', webhookRow),
      'subject_key as subject',
      ...reasonColumns,
      bytesReceived.as('bytes'),
    ]);

export function toWebhook(it: Stored<typeof selectWebhooks>): Webhook {
  const { code, data } = it;
  const event = it.event === null ? null : (JSON.parse(it.event) as WarehouseEvent);
  return readRow(webhookRow, it, {
    reason: code !== null && data !== null ? sayReason(readReason({ code, data })) : null,
    event: event?.name ?? null,
    happenedAt: dateOrNull(event?.time ?? null),
  });
}

/** Somebody limited to customers sees only what is of the one that the webhook is of. */
async function find({ reads }: Sources, { id }: { readonly id: number }, { limits }: Caller) {
  const row = await selectWebhooks(reads).select(['body', 'customer_id']).where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { body, customer_id, ...stored } = row;
  const { kind, id: subjectId } = parseSubjectKey(row.subject ?? '') ?? {};
  const owner = {
    customerId: customer_id ?? undefined,
    orderId: kind && kindOf(kind).hasLines ? subjectId : undefined,
  };
  const shown = holdsTenant(limits, row.tenant) || body.length === 0 ? body : ownBytes(owner, body);
  const [named] = await withNames(reads, [toWebhook(stored)]);
  return { ...named, ...readBody(shown) };
}

function ownBytes(owner: Parameters<typeof ownPartOf>[0], body: Uint8Array): Uint8Array {
  const text = Buffer.from(body).toString();
  try {
    const part = ownPartOf(owner, text);
    return part === text ? body : Buffer.from(part ?? '');
  } catch {
    // What is no JSON does not say whose its parts are.
    return Buffer.alloc(0);
  }
}

export const webhookView = defineView({
  call: {
    path: '/webhooks/{id}',
    id: 'getWebhook',
    summary: 'Shows a webhook with its body',
    tag: 'Webhooks',
    description:
      'What the warehouse sent, wherever it stands now, and why it was not understood if it was not. The body may name people; it is null once it was purged. 404 if there is no such webhook.',
    role: 'bodies',
    row: webhookRow.extend({ ...subjectNames, ...bodyMembers }),
    name: 'ShownWebhook',
  },
  page: {
    path: '/deliveries/{id}',
    html({ row, caller }) {
      const { id, eventId, subject, event, reason, happenedAt, receivedAt, observedAt } = row;
      return {
        title: `Webhook ${eventId}`,
        section: 'webhooks',
        content: html`
<p>${subject !== null ? subjectLink(subject, row) : html`<a href="/board/quarantine">Quarantine</a>`}</p>
<h1><span class="aside">Webhook </span>${untrusted(event ?? eventId)}${reason !== null && html` <span class="badge warn">in quarantine</span>`}</h1>
<dl class="facts">
${fact('Reason', reason !== null && whole(reason))}
${fact('Event', untrusted(eventId))}
${fact('Account', untrusted(row.tenant))}
${fact('Endpoint', untrusted(row.endpoint))}
${fact('Happened', happenedAt !== null && when(happenedAt))}
${fact('Received', when(receivedAt))}
${fact('Recorded', reason === null && (observedAt === null ? 'not yet' : when(observedAt)))}
</dl>
${reason !== null && may(caller, 'act') && html`<div class="actions"><form method="post" action="/board/quarantine/${id}/reprocess"><button>Reprocess</button></form></div>`}
${bodySection(row, `/board/deliveries/${id}/body`, caller)}`,
      };
    },
    file: (row) => fileOf(`webhook-${row.id}.json`, row),
  },
  params: idParams,
  missing: 'The webhook does not exist, or it was purged.',
  read: find,
});
