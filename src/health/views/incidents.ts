import { z } from 'zod';
import { documentLink } from '../../admin/board/documents.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { icon } from '../../admin/board/layout.ts';
import { age, clock, untrusted } from '../../admin/board/text.ts';
import { count, defineView, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { conditionNames, factsOf } from '../../domain/health/condition.ts';
import { type Incident, nameOf, reasonIn, sayHeldUp } from '../../domain/health/incident.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { readRow } from '../../store/rows.ts';

const SHOWN = 30;

interface Reader {
  readonly now: number;
  readonly mayAct: boolean;
}

export function incidentList(
  incidents: readonly Incident[],
  { isCalm, ...reader }: Reader & { readonly isCalm: boolean },
): Markup {
  if (incidents.length === 0 && !isCalm) return html`<h2 id="incidents">No incident</h2>`;
  if (incidents.length === 0)
    return html`<h2 class="notice" id="incidents">Nothing is wrong <span class="muted">Everything that was accepted is announced or on its way.</span></h2>`;
  return html`<section><h2 id="incidents">Incidents <span class="count">${incidents.length}</span></h2>
${incidentCards(incidents.slice(0, SHOWN), reader)}
${incidents.length > SHOWN && html`<details id="more-incidents"><summary>${incidents.length - SHOWN} more incidents</summary>${incidentCards(incidents.slice(SHOWN), reader)}</details>`}</section>`;
}

const incidentCards = (incidents: readonly Incident[], reader: Reader): Markup =>
  html`<ul class="incidents">${incidents.map((it) => incidentCard(it, reader))}</ul>`;

function incidentCard(incident: Incident, { now, mayAct }: Reader): Markup {
  const { condition, title, since, path, nextTryAt, action, acknowledged } = incident;
  const { isUrgent = false, does, help, runbook } = factsOf(condition);
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

const customerRow = z.object({
  id: z.string().nullable().describe('Null while it is not known whose they are.'),
  name: z.string().nullable(),
  count,
});

export const incidentRow = z.object({
  name: z.string().describe('Condition and place, such as `warehouse-failing@9104`, the same everywhere.'),
  condition: z.enum(conditionNames),
  place: z.string().describe('Empty for the installation.'),
  sort: z.string().describe('What it is like now, such as the status of the answers.'),
  title: z.string(),
  isUrgent: z.boolean(),
  since: instant,
  count: count.describe('Things that it holds up.'),
  isMore: z.boolean().describe('There may be more.'),
  unit: z.enum([mainKind, 'record', 'announcement', 'webhook', 'difference']).nullable(),
  customers: listOf(customerRow),
  atRisk: count.describe('Those of them that are at risk of being late.'),
  lastAnswer: z.string().nullable(),
  nextTryAt: instant.nullable(),
  does: z.string().describe('What Dockline does by itself.'),
  help: z.string().describe('What a person can do.'),
  path: z.string().describe('Page of the board where it is fixed.'),
  acknowledged: z
    .object({ by: z.string(), at: instant })
    .nullable()
    .describe('Person who has acknowledged it as it is now.'),
  action: z.object({ name: z.string(), path: z.string() }).nullable().describe('Call that helps.'),
});

type IncidentRow = z.output<typeof incidentRow>;

export function toRow(incident: Incident): IncidentRow {
  const { condition, because, acknowledged } = incident;
  const { isUrgent = false, does, help } = factsOf(condition);
  return readRow(incidentRow, incident, {
    ...{ name: nameOf(incident), isUrgent, does, help, lastAnswer: because },
    acknowledged: acknowledged && { ...acknowledged, at: new Date(acknowledged.at) },
  });
}

const health = z.object({
  status: z
    .enum(['healthy', 'degraded', 'failing'])
    .describe('`failing` with an urgent incident, `degraded` with any other.'),
  incidents: listOf(incidentRow),
});

async function readHealth({ incidents }: Sources): Promise<z.output<typeof health>> {
  const rows = (await incidents()).map(toRow);
  const status = rows.some(({ isUrgent }) => isUrgent) ? 'failing' : rows.length > 0 ? 'degraded' : 'healthy';
  return { status, incidents: rows };
}

export const incidentsView = defineView({
  call: {
    path: '/health',
    id: 'getHealth',
    summary: 'Shows incidents, and whether all is well',
    tag: 'Operations',
    description:
      'Use it to see whether somebody has to act: `status` is `healthy`, `degraded`, or `failing` with an urgent incident. Each incident has its cause, how many subjects and customers it affects, and what helps.',
    role: 'read',
    row: health,
    name: 'Health',
    parts: { Incident: incidentRow },
  },
  params: z.object({}),
  read: readHealth,
});
