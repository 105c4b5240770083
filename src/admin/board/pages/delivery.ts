import { type Caller, may } from '../../access.ts';
import { nameOf, subjectAddress } from '../addresses.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../notices.ts';
import type { Delivery } from '../ports.ts';
import { foreign, whole } from '../text.ts';
import { when } from '../time.ts';
import { bodySection } from './body.ts';

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
${isQuarantined && html`<div><dt>Reason</dt><dd>${whole(quarantineReason)}</dd></div>`}
<div><dt>Event</dt><dd>${foreign(eventId)}</dd></div>
<div><dt>Account</dt><dd>${foreign(tenant)}</dd></div>
<div><dt>Endpoint</dt><dd>${foreign(endpoint)}</dd></div>
${happenedAt !== null && html`<div><dt>Happened</dt><dd>${when(happenedAt)}</dd></div>`}
<div><dt>Received</dt><dd>${when(receivedAt)}</dd></div>
${!isQuarantined && html`<div><dt>Recorded</dt><dd>${observedAt === null ? 'not yet' : when(observedAt)}</dd></div>`}
</dl>
${isQuarantined && may(caller, 'act') && html`<div class="actions"><form method="post" action="/board/quarantine/${id}/replay"><button>Replay</button></form></div>`}
${bodySection(body, `/board/deliveries/${id}/body`, caller)}`,
  };
};
