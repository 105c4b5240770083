import { may } from '../../../admin/access.ts';
import { destinationAddress, listAddress, titleOf } from '../../../admin/board/addresses.ts';
import { chart } from '../../../admin/board/chart.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import type { Page } from '../../../admin/board/layout.ts';
import { livePage } from '../../../admin/board/responder.ts';
import { stageName } from '../../../admin/board/stage.ts';
import { age, ago, number, untrusted } from '../../../admin/board/text.ts';
import type { View } from '../../../admin/views/view.ts';
import type { Incident } from '../../../domain/health/incident.ts';
import type { StageCount } from '../../../subjects/tables/counts.ts';
import { incidentList } from '../incidents.ts';
import { type Count, createOverview, type Overview } from './read.ts';
import { trucksSection } from './trucks.ts';

type Shown = Overview & {
  readonly now: number;
  readonly incidents: readonly Incident[];
  readonly mayAct: boolean;
  readonly isOfCustomers: boolean | undefined;
};

/** In the order in which a coordinator asks: what is wrong, what leaves today, where the orders are, and whether anything moves. */
const nowPage = (shown: Shown): Page => ({
  title: 'Overview',
  section: 'overview',
  content: html`<div class="head"><h1>Today, ${today(shown.now)}</h1><p class="muted">${summary(shown)}</p></div>
${incidentList(shown.incidents, { ...shown, isCalm: shown.attention.count + shown.checking.length === 0 })}
${troubles(shown)}
${trucksSection(shown)}
<div class="wide-first">
${funnel(shown)}
${deliveriesSection(shown)}
</div>
${plumbing(shown)}`,
});

/** The page's script changes it to the reader's day. */
function today(now: number): Markup {
  const date = new Date(now);
  const text = date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString().slice(0, 10)}T12:00:00Z" data-form="day">${text}</time>`;
}

function summary({ trucks: { trucks, isMore }, ended, shippedLate: late }: Shown): string {
  const toShip = trucks.reduce((sum, { pick, pack, ship }) => sum + pick + pack + ship, 0);
  const shipped = ended.find(({ stage }) => stage === 'confirmed');
  return `${number(toShip)}${isMore ? '+' : ''} to ship · ${shipped ? showCount(shipped) : 0} shipped in 24 hours${late.count > 0 ? `, ${showCount(late)} late` : ''}`;
}

const showCount = ({ count, isMore }: Count): string => `${number(count)}${isMore ? '+' : ''}`;

const troubles = ({ attention: count, paused, checking, now }: Shown): Markup => html`
${checking.length > 0 && html`<p id="checking">Checking: ${checking.map((it, index) => html`${index > 0 && ', '}<a href="${it.path}">${it.what}</a> has failed for ${age(it.since, now)}`)}. After a minute it is an incident.</p>`}
${count.count > 0 && checking.length === 0 && html`<p id="attention"><a href="/board/subjects?attention=any">${showCount(count)} ${count.count === 1 ? 'record needs' : 'records need'} attention</a></p>`}
${paused.length > 0 && html`<p id="paused">Paused by hand: ${paused.map((it) => html`<span><a href="${destinationAddress(it)}">${it.name}</a> of ${untrusted(it.tenant)} <span class="muted">${age(it.since, now)}, ${untrusted(it.because)}</span></span> `)}</p>`}`;

function funnel({ open, ended, others, now }: Shown): Markup {
  const over = ended.filter(({ count }) => count > 0);
  return html`<section class="card stack"><h2 id="stages">Open orders by stage</h2>
<ol class="funnel plain">${open.map((it) => segment(it, now))}</ol>
<p class="muted plain">In 24 hours: ${over.length === 0 ? 'none shipped' : over.map((it, index) => html`${index > 0 && ' · '}<a href="${listAddress('/board/subjects', { stage: it.stage })}">${showCount(it)} ${stageName(it.stage).toLowerCase()}</a>`)}</p>
<h2 id="others">Other open records</h2>
<ul class="legend plain">${others.map((it) => html`<li><a href="${listAddress('/board/subjects', { kind: it.kind })}">${titleOf(it.kind)}</a> <span class="muted">${showCount(it)}</span></li>`)}</ul>
</section>`;
}

const segment = (
  counted: StageCount,
  now: number,
): Markup => html`<li class="s-${counted.stage}${counted.count === 0 && ' none'}">
<a href="${listAddress('/board/subjects', { stage: counted.stage })}"><span class="figure">${showCount(counted)}</span>
<span class="name">${stageName(counted.stage)}</span></a>
<span class="muted">${counted.since === null ? 'none' : html`oldest ${age(counted.since, now)}`}</span>
</li>`;

function deliveriesSection({ deliveries, isOfCustomers }: Shown): Markup | false {
  if (isOfCustomers && deliveries.every(({ delivered, failed, refused }) => delivered + failed + refused === 0))
    return false;
  return html`<section class="card"><h2 id="deliveries">Deliveries per hour</h2>
${chart(deliveries, 'Attempts to deliver announcements in each of the last 24 hours')}</section>`;
}

/** Nearly always nothing, so in one line. */
function plumbing({
  now,
  waiting,
  outgoing: { unsent, replays, onHold, deadLetters },
  quarantined,
  tenants,
  isOfCustomers,
}: Shown): Markup {
  const part = (name: string, count: Count, since: number | null, link: string) =>
    html`<li><a href="${link}">${name}</a> ${showCount(count)}${count.count > 0 && since !== null && html`, oldest ${age(since, now)}`}</li>`;
  return html`<ul class="legend plain" aria-label="Queues">
${part('Webhooks waiting', waiting, waiting.since, '/board/webhooks?state=waiting')}
${part('Deliveries queued', unsent, unsent.since, '/board/announcements')}
${onHold.count > 0 && part('On hold', onHold, onHold.since, '/board/announcements')}
${replays.count > 0 && part('Replays', replays, replays.since, '/board/announcements')}
${part('In quarantine', quarantined, quarantined.since, '/board/quarantine')}
${part('Dead letters', deadLetters, deadLetters.since, '/board/dead-letters')}
${!isOfCustomers && (tenants.length === 0 ? html`<li>No webhook yet</li>` : tenants.map(({ tenant, lastReceivedAt }) => html`<li>Account ${untrusted(tenant)}: last webhook ${ago(lastReceivedAt, now)}</li>`))}
</ul>`;
}

export const nowView: View = {
  pages: [
    {
      path: '/',
      role: 'read',
      open(sources) {
        const { incidents, isOfCustomers, once } = sources;
        const read = createOverview(sources);
        const pageFor = (mayAct: boolean) => async () => {
          const shown = { ...(await read()), incidents: await incidents() };
          return livePage(nowPage, { ...shown, mayAct, isOfCustomers });
        };
        const [acting, reading] = [pageFor(true), pageFor(false)];
        return (_asked, caller) => once(may(caller, 'act') ? acting : reading);
      },
    },
  ],
};
