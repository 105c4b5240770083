import { type Caller, may } from '../../access.ts';
import type { QuarantinedEvent, QuarantineReason } from '../../ports.ts';
import { listAddress, nameOf, subjectAddress } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../notice.ts';
import type { Delivery } from '../ports.ts';
import { actionColumn, fact, nextPage, numeric, table } from '../table.ts';
import { age, foreign, number, plural, when, whole } from '../text.ts';
import { bodySection } from './body.ts';
import { bulkForm } from './bulk.ts';
import type { ListPage } from './queries.ts';

/** Page of one delivery with its body. */
export const deliveryPage = (
  delivery: Delivery & { readonly body: Uint8Array },
  { caller, done }: { readonly caller: Caller; readonly done: string | undefined },
): Page => {
  const { id, eventId, endpoint, tenant, subject, event, happenedAt, quarantineReason, receivedAt, observedAt, body } =
    delivery;
  const isQuarantined = quarantineReason !== null;
  return {
    title: `Webhook ${eventId}`,
    section: isQuarantined ? '/board/quarantine' : '/board/subjects',
    content: html`
<p>${subject ? html`<a href="${subjectAddress(subject)}">${foreign(nameOf(subject))}</a>` : html`<a href="/board/quarantine">Quarantine</a>`}</p>
<h1><span class="aside">Webhook </span>${foreign(event ?? eventId)}${isQuarantined && html` <span class="badge warn big">in quarantine</span>`}</h1>
${notice(done)}
<dl class="facts">
${fact('Reason', isQuarantined && whole(quarantineReason))}
${fact('Event', foreign(eventId))}
${fact('Account', foreign(tenant))}
${fact('Endpoint', foreign(endpoint))}
${fact('Happened', happenedAt !== null && when(happenedAt))}
${fact('Received', when(receivedAt))}
${fact('Recorded', !isQuarantined && (observedAt === null ? 'not yet' : when(observedAt)))}
</dl>
${isQuarantined && may(caller, 'act') && html`<div class="actions"><form method="post" action="/board/quarantine/${id}/replay"><button>Replay</button></form></div>`}
${bodySection(body, `/board/deliveries/${id}/body`, caller)}`,
  };
};

/** Page of the deliveries that were not understood: by reason, and those of one reason. */
export const quarantinePage = ({
  rows,
  next,
  total,
  reasons,
  reason,
  now,
  done,
  caller,
}: ListPage<QuarantinedEvent> & {
  readonly reasons: readonly QuarantineReason[];
  readonly reason: string | undefined;
  readonly now: number;
  readonly done: string | undefined;
  readonly caller: Caller;
}): Page => ({
  title: 'Quarantine',
  section: '/board/quarantine',
  content: html`<h1>Quarantine</h1>
${notice(done)}
<p class="muted">Webhooks that are authentic and were not understood. Nothing is lost: replay reads them again, after the reason is mended.</p>
${reasons.length === 0 ? html`<p class="empty">None. Every webhook was understood.</p>` : reasonTable(reasons, reason, now)}
${reason !== undefined && html`<h2 id="deliveries">Because of “${foreign(reason, 200)}”</h2><p><a href="/board/quarantine">Show all</a></p>`}
${rows.length > 0 && deliveryTable(rows, now, may(caller, 'act'))}
${nextPage(next)}
${rows.length > 0 && may(caller, 'act') && bulkForm('replay', { reason }, total)}`,
});

const reasonTable = (reasons: readonly QuarantineReason[], chosen: string | undefined, now: number): Markup =>
  table({
    label: 'Reasons',
    columns: ['Reason', numeric('Webhooks'), 'First', 'Newest'],
    rows: reasons.map(
      ({ reason, count, firstReceivedAt, lastReceivedAt }) => html`<tr${reason === chosen && html` class="chosen"`}>
<th scope="row"><a href="${listAddress('/board/quarantine', { reason })}">${foreign(reason, 200)}</a></th>
<td class="number">${number(count)}</td>
<td class="nowrap">${age(firstReceivedAt, now)} ago</td>
<td class="nowrap">${age(lastReceivedAt, now)} ago</td>
</tr>`,
    ),
  });

const deliveryTable = (rows: readonly QuarantinedEvent[], now: number, mayAct: boolean): Markup =>
  table({
    label: 'Webhooks in quarantine',
    columns: ['Event', 'Account', 'Received', 'Size', 'Reason', mayAct && actionColumn],
    rows: rows.map(
      ({ id, eventId, tenant, receivedAt, bytes, reason }) => html`<tr id="row-${id}">
<th scope="row"><a href="/board/deliveries/${id}">${foreign(eventId, 60)}</a></th>
<td>${foreign(tenant, 40)}</td>
<td class="nowrap">${age(receivedAt, now)} ago</td>
<td class="nowrap">${plural(bytes, 'byte')}</td>
<td>${foreign(reason)}</td>
${mayAct && html`<td><form method="post" action="/board/quarantine/${id}/replay"><button>Replay<span class="aside"> ${foreign(eventId)}</span></button></form></td>`}
</tr>`,
    ),
  });
