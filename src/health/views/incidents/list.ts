import { documentLink } from '../../../admin/board/documents.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { icon } from '../../../admin/board/icons.ts';
import { age, clock, untrusted } from '../../../admin/board/text.ts';
import { factsOf } from '../../../domain/health/condition.ts';
import { type Incident, nameOf, reasonIn, sayHeldUp } from '../../../domain/health/incident.ts';

const SHOWN = 30;

interface Reader {
  readonly now: number;
  readonly mayAct: boolean;
}

/** Says so if there is none, and that nothing is wrong if no record has troubles of its own. */
export function incidentList(
  incidents: readonly Incident[],
  { isCalm, ...reader }: Reader & { readonly isCalm: boolean },
): Markup {
  if (incidents.length === 0 && !isCalm) return html`<h2 id="incidents">No incident</h2>`;
  if (incidents.length === 0)
    return html`<h2 class="notice" id="incidents">Nothing is wrong <span class="muted">Everything that was accepted is announced or on its way.</span></h2>`;
  return html`<section><h2 id="incidents">Incidents <span class="count">${incidents.length}</span></h2>
${incidentCards(incidents.slice(0, SHOWN), reader)}
${incidents.length > SHOWN && html`<details id="more-incidents"><summary>${incidents.length - SHOWN} more incidents</summary>${incidentCards(incidents.slice(SHOWN), reader)}</details>`}
<p class="more"><a href="/board/incidents.csv" download>What waits, by customer, as CSV</a></p></section>`;
}

const incidentCards = (incidents: readonly Incident[], reader: Reader): Markup =>
  html`<ul class="incidents">${incidents.map((it) => incidentCard(it, reader))}</ul>`;

function incidentCard(incident: Incident, { now, mayAct }: Reader): Markup {
  const { condition, title, since, path, nextTryAt, action, acknowledged } = incident;
  const { isUrgent, does, help, runbook } = factsOf(condition);
  const heldUp = sayHeldUp(incident);
  const reason = reasonIn(incident);
  const id = `incident-${nameOf(incident).replaceAll(/[^\w-]+/g, '-')}`;
  const own = `/incidents/${encodeURIComponent(nameOf(incident))}`;
  return html`<li class="card incident${isUrgent && acknowledged === null && ' warn'}" id="${id}">
<h3>${isUrgent && icon('alerts')}<a href="${path}">${untrusted(title, 300)}</a></h3>
<span>since ${clock(since)}, ${age(since, now)}</span>
${heldUp !== null && html`<span>${untrusted(heldUp, 300)}</span>`}
${nextTryAt !== null && html`<span>${nextTryAt > now ? html`next try ${clock(nextTryAt)}` : 'being tried now'}</span>`}
${acknowledged !== null && html`<span class="badge info">Acknowledged by ${untrusted(acknowledged.by, 60)}, ${clock(acknowledged.at)}</span>`}
<details id="${id}-help"><summary>What to do</summary>
${reason !== null && html`<p>${untrusted(reason, 300)}</p>`}
<p class="muted">${does} ${help} ${documentLink('runbooks', runbook, 'Runbook')}</p></details>
${mayAct && html`<div class="actions">${action && button(action.name, action.path)}${acknowledged === null ? button('Acknowledge', `${own}/acknowledge`) : button('Undo', `${own}/unacknowledge`)}</div>`}
</li>`;
}

const button = (label: string, path: string): Markup =>
  html`<form method="post" action="/board${path}"><button>${label}</button></form>`;
