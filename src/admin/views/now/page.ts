import type { Away } from '../../../temporal/health.ts';
import { destinationAddress, listAddress, nameOf, subjectAddress, titleOf } from '../../board/addresses.ts';
import { chart } from '../../board/chart.ts';
import { documentLink } from '../../board/documents.ts';
import { html, type Markup } from '../../board/html.ts';
import type { Page } from '../../board/layout.ts';
import { resultOf, showReasons } from '../../board/reasons.ts';
import { stageName } from '../../board/stage.ts';
import { age, ago, foreign, number, plural, when, whole } from '../../board/text.ts';
import type { SubjectRow } from '../subject/row.ts';
import type { AttentionCards, AttentionGroup, RefusedOperation } from './attention.ts';
import type { Count, Overview, SilentDestination, StageCount } from './read.ts';
import { trucksSection } from './trucks-section.ts';

/** Content of the first page, and the time at which it is shown. */
type Shown = Overview & {
  readonly now: number;
  /** Part that every order needs and that does not answer. */
  readonly away: Away | undefined;
  /** Orders that stay in a stage for too long are reported. */
  readonly hasStageLimits: boolean;
  /** It is shown to somebody who is limited to some customers. */
  readonly isOfCustomers: boolean | undefined;
  /** Sorts of things that wait for longer than they should. */
  readonly late: readonly ('waiting' | 'unsent')[];
};

/** Age from which on something that waits is late, in milliseconds. */
const LATE_MS = 30_000;

/** Returns the sorts of things that wait for longer than they should. They are part of the values of the page, so that it changes with them. */
export const lateOf = (overview: Pick<Overview, 'waiting' | 'unsent'>, now: number): Shown['late'] =>
  (['waiting', 'unsent'] as const).filter((sort) => {
    const { count, since } = overview[sort];
    return count > 0 && since !== null && now - since > LATE_MS;
  });

/** First page, in the order in which a coordinator asks: what is wrong, what leaves today, where the orders are, and whether anything moves. */
export const nowPage = (shown: Shown): Page => ({
  title: 'Overview',
  section: 'overview',
  content: html`<div class="head"><h1>Today, ${today(shown.now)}</h1><p class="muted">${summary(shown)}</p></div>
${silence(shown)}
${attention(shown)}
${trucksSection(shown)}
<div class="wide-first">
${funnel(shown)}
${deliveriesSection(shown)}
</div>
${plumbing(shown)}`,
});

/** Shows the day; the page's script changes it to the reader's. */
function today(now: number): Markup {
  const date = new Date(now);
  const text = date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString().slice(0, 10)}T12:00:00Z" data-form="day">${text}</time>`;
}

function summary({ trucks: { trucks, isMore }, shipped, deliveries }: Shown): Markup {
  const toShip = trucks.reduce((sum, { pick, pack, ship }) => sum + pick + pack + ship, 0);
  const delivered = deliveries.reduce((sum, it) => sum + it.delivered, 0);
  const parts = [
    `${number(toShip)}${isMore ? '+' : ''} to ship`,
    `${number(shipped.count)} shipped in 24 hours${shipped.late > 0 ? `, ${number(shipped.late)} late` : ''}`,
    `${plural(delivered, 'announcement')} delivered`,
  ];
  return html`${parts.join(' · ')}`;
}

/** Writes a bounded count, such as `10,000+`. */
const showCount = ({ count, isMore }: Count): string => `${number(count)}${isMore ? '+' : ''}`;

/** Names the destinations to which nothing is sent. One that Dockline has stopped needs a person; one that a person has paused is only told. */
function silence({ silent, now }: Shown): Markup | false {
  const stopped = silent.filter(({ isStopped }) => isStopped);
  const paused = silent.filter(({ isStopped }) => !isStopped);
  return html`${
    stopped.length > 0 &&
    html`<section class="card warn"><h2 id="stopped">Destinations were stopped</h2>
<p>Nothing more is sent to them until somebody resumes them; what they are to get waits.</p>
<ul>${stopped.map((it) => html`<li>${destinationLink(it)} ${foreign(it.because, 300)}, stopped since ${when(it.since)}, ${age(it.since, now)}</li>`)}</ul></section>`
  }${paused.length > 0 && html`<p id="paused">Paused by hand: ${paused.map((it) => html`<span>${destinationLink(it)} <span class="muted">${age(it.since, now)}, ${foreign(it.because)}</span></span> `)}</p>`}`;
}

const destinationLink = (it: SilentDestination): Markup =>
  html`<a href="${destinationAddress(it)}">${it.name}</a> of ${foreign(it.tenant)}`;

function attention(shown: Shown): Markup | false {
  const { groups, refused, ...count } = shown.attention;
  const { now, away, late, waiting, hasStageLimits, silent } = shown;
  const stuck = away !== undefined || (count.count === 0 && late.length > 0);
  if (count.count === 0 && !stuck) {
    if (silent.some(({ isStopped }) => isStopped)) return false;
    return html`<section class="calm"><h2 id="attention">Nothing needs attention</h2>
<p>No order or record fails or was refused, and every announcement has arrived${silent.length > 0 ? ', is on its way or waits for a paused destination' : ' or is on its way'}. ${hasStageLimits ? 'None has stalled.' : html`Stage limits are off (<code>ORDER_STAGE_LIMITS=none</code>), so no order is reported as stalled.`}</p></section>`;
  }
  return html`${
    stuck &&
    html`<section class="card warn"><h2 id="away">${away ? html`${awayNames[away.part]} not answer` : 'Something is stuck'}</h2>
<p>${away ? html`Since ${when(away.since)}, ${age(away.since, now)}. ` : 'Nothing fails, and yet something waits for long. '}Webhooks are accepted and wait${waiting.since !== null && html`, the oldest for ${age(waiting.since, now)}`}. Everything continues by itself.</p></section>`
  }
${count.count > 0 && cardsOf(shown, { groups, refused }, count)}`;
}

const awayNames = { Temporal: 'Temporal does', workers: 'The workers do' } as const;

function cardsOf({ now }: Shown, { groups, refused }: AttentionCards, count: Count): Markup {
  return html`<section><h2 id="attention">Needs attention <span class="count">${showCount(count)}</span></h2>
<ul class="cards">${refused.map(refusedCard)}${groups.map((group) => card(group, now))}</ul>
${count.count > groups.length + refused.length && html`<p><a href="/board/subjects?attention=any">All that need attention</a></p>`}
</section>`;
}

/** Shows those with equal reasons as one: their number, the reasons, and one of them. */
const card = (
  { group, example: subject, ...count }: AttentionGroup,
  now: number,
): Markup => html`<li class="card warn" id="card-${group.replaceAll(/[^\w-]+/g, '-')}">
${showReasons(subject, now)}
${
  count.count > 1
    ? html`<p><a href="${listAddress('/board/subjects', { group })}">${showCount(count)} for the same reason</a>, the oldest ${linkTo(subject)}</p>`
    : html`<p>${linkTo(subject)}</p>`
}
<p class="muted">${stageName(subject.stage, subject.kind)} since ${when(subject.stageSince)}</p>
</li>`;

/** Shows a GET that the warehouse refuses as one, with what to do about it. */
function refusedCard({ operation, example, ...count }: RefusedOperation): Markup {
  const { several, isPart } = resultOf(operation);
  const message = example.refused.find((it) => it.startsWith(`${operation}:`)) ?? '';
  const isForbidden = / answered 40[13]\b/.test(message);
  const records = `${showCount(count)} open ${count.count === 1 ? 'record' : 'records'}`;
  return html`<li class="card warn" id="card-refused-${operation}">
<h3>${isForbidden ? `The credential may not read ${several}` : `The warehouse does not return some ${several}`}</h3>
<p><a href="/board/subjects?attention=refused">${records}</a> ${isPart ? 'announced without them' : 'could not be read'}, the oldest ${linkTo(example)}</p>
<p>${whole(message)}</p>
<p class="muted">${isForbidden ? `Ask the warehouse for the right to read ${several}; it is tried again by itself. ` : 'It is asked for again by itself. '}${documentLink('runbooks', 'a-role-is-missing', 'What to do')}</p>
</li>`;
}

const linkTo = (subject: SubjectRow): Markup =>
  html`<a href="${subjectAddress(subject)}">${foreign(nameOf(subject))}</a>${subject.referenceNumber !== null && html` <span class="muted">${foreign(subject.referenceNumber, 40)}</span>`}${takenBy(subject)}`;

/** Says who has taken a subject; nothing if nobody has. */
const takenBy = ({ takenBy: name }: SubjectRow): Markup | false =>
  name !== null && html` <span class="muted">taken by ${foreign(name, 60)}</span>`;

function funnel({ stages, others, now }: Shown): Markup {
  const open = stages.filter(({ isLast }) => !isLast);
  const over = stages.filter(({ isLast, count }) => isLast && count > 0);
  return html`<section class="card"><h2 id="stages">Open orders by stage</h2>
<ol class="funnel">${open.map((it) => segment(it, now))}</ol>
<p class="muted plain">In 24 hours: ${over.length === 0 ? 'none shipped' : over.map((it, index) => html`${index > 0 && ' · '}<a href="${listAddress('/board/subjects', { stage: it.stage })}">${showCount(it)} ${stageName(it.stage).toLowerCase()}</a>`)}</p>
<h2 id="others">Other open records</h2>
<ul class="plumbing plain">${others.map((it) => html`<li><a href="${listAddress('/board/subjects', { kind: it.kind })}">${titleOf(it.kind)}</a> <span class="muted">${showCount(it)}</span></li>`)}</ul>
</section>`;
}

const segment = (
  counted: StageCount,
  now: number,
): Markup => html`<li class="s-${counted.stage}${counted.count === 0 && ' none'}">
<a href="${listAddress('/board/subjects', { stage: counted.stage })}"><span class="figure">${showCount(counted)}</span>
<span class="name">${stageName(counted.stage)}</span></a>
<span class="muted">${counted.oldestSince === null ? 'none' : html`oldest ${age(counted.oldestSince, now)}`}</span>
</li>`;

function deliveriesSection({ deliveries }: Shown): Markup {
  const bars = deliveries.map(({ at, delivered, failed }) => ({
    at,
    text: `${number(delivered)} delivered, ${number(failed)} failed`,
    parts: [
      { kind: 'delivered', count: delivered },
      { kind: 'failed', count: failed },
    ],
  }));
  const sumOf = (kind: 'delivered' | 'failed') => deliveries.reduce((sum, it) => sum + it[kind], 0);
  return html`<section class="card"><h2 id="deliveries">Deliveries per hour</h2>
${chart(bars, `Attempts to deliver announcements in each of the last 24 hours: ${number(sumOf('delivered'))} delivered, ${number(sumOf('failed'))} failed.`)}
<p class="legend"><span class="key delivered">${number(sumOf('delivered'))} delivered</span> <span class="key failed">${number(sumOf('failed'))} failed</span></p>
</section>`;
}

/** Shows in a line what is nearly always nothing. */
function plumbing({ now, late, waiting, unsent, quarantined, deadLettered, tenants, isOfCustomers }: Shown): Markup {
  const part = (name: string, count: Count, since: number | null, link: string, isBad: boolean) =>
    html`<li${count.count > 0 && isBad && html` class="error"`}><a href="${link}">${name}</a> ${showCount(count)}${count.count > 0 && since !== null && html`, oldest ${age(since, now)}`}</li>`;
  return html`<ul class="plumbing plain muted" aria-label="Queues">
${part('Webhooks waiting', waiting, waiting.since, '/board/webhooks?state=waiting', late.includes('waiting'))}
${part('Deliveries queued', unsent, unsent.since, '/board/announcements', late.includes('unsent'))}
${part('In quarantine', quarantined, quarantined.since, '/board/quarantine', true)}
${part('Dead letters', deadLettered, deadLettered.since, '/board/dead-letters', true)}
${!isOfCustomers && (tenants.length === 0 ? html`<li>No webhook yet</li>` : tenants.map(({ tenant, lastReceivedAt }) => html`<li>Account ${foreign(tenant)}: last webhook ${ago(lastReceivedAt, now)}</li>`))}
</ul>`;
}
