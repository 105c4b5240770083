import { documentLink } from '../../../admin/board/documents.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { age, untrusted, when } from '../../../admin/board/text.ts';
import { factsOf } from '../../../domain/health/condition.ts';
import { type Incident, nameOf, reasonIn, sayHeldUp } from '../../../domain/health/incident.ts';

/**
 * Shows incidents, the urgent ones first, each with what it holds up and the action that helps. Says that there is none, and that nothing is
 * wrong if no record has troubles of its own.
 */
export function incidentList(incidents: readonly Incident[], now: number, isCalm = false): Markup {
  if (incidents.length === 0 && !isCalm) return html`<h2 id="incidents">No incident</h2>`;
  if (incidents.length === 0)
    return html`<section class="calm"><h2 id="incidents">Nothing is wrong</h2>
<p>Everything that was accepted is announced or on its way.</p></section>`;
  return html`<section><h2 id="incidents">Incidents <span class="count">${incidents.length}</span></h2>
<ul class="incidents">${incidents.map((it) => incidentCard(it, now))}</ul></section>`;
}

function incidentCard(incident: Incident, now: number): Markup {
  const { condition, title, since, path, nextTryAt, action } = incident;
  const { isUrgent, does, help, runbook } = factsOf(condition);
  const heldUp = sayHeldUp(incident);
  const reason = reasonIn(incident);
  return html`<li class="card incident${isUrgent && ' urgent'}" id="${idOf(incident)}">
<h3><a href="${path}">${untrusted(title, 300)}</a></h3>
<p>For ${age(since, now)}, since ${when(since)}${nextTryAt !== null && html`; ${nextTryAt > now ? html`next try ${when(nextTryAt)}` : 'being tried now'}`}</p>
${heldUp !== null && html`<p class="held-up"><a href="/board/incidents#${idOf(incident)}">${untrusted(heldUp, 300)}</a></p>`}
${reason !== null && !title.includes(reason) && html`<p class="muted">${untrusted(reason, 300)}</p>`}
<p class="muted">${does} ${help} ${documentLink('runbooks', runbook, 'What to do')}</p>
${action && html`<form method="post" action="/board${action.path}"><button>${action.name}</button></form>`}
</li>`;
}

/** Id of an incident on a page, which a link can name. */
export const idOf = (incident: Pick<Incident, 'condition' | 'place'>): string =>
  `incident-${nameOf(incident).replaceAll(/[^\w-]+/g, '-')}`;
