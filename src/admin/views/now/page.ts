import type { Away } from '../../../temporal/health.ts';
import { destinationAddress, listAddress, nameOf, subjectAddress, titleOf } from '../../board/addresses.ts';
import { chart, highest } from '../../board/chart.ts';
import { documentLink } from '../../board/documents.ts';
import { guideSection, type ShownGuide } from '../../board/guide.ts';
import { html, type Markup } from '../../board/html.ts';
import type { Page } from '../../board/layout.ts';
import { resultOf, showReasons } from '../../board/reasons.ts';
import { numeric, table } from '../../board/table.ts';
import { age, ago, capitalized, foreign, number, when, whole, words } from '../../board/text.ts';
import type { SubjectRow } from '../subject/row.ts';
import type { AttentionCards, AttentionGroup, RefusedOperation } from './attention.ts';
import { dueSection } from './due-section.ts';
import type { Count, Overview, SilentDestination, StageCount } from './read.ts';

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
  /** Present in a demonstration. */
  readonly guide: ShownGuide | undefined;
};

/** Age from which on something that waits is late, in milliseconds. */
const LATE_MS = 30_000;

/** Returns the sorts of things that wait for longer than they should. They are part of the values of the page, so that it changes with them. */
export const lateOf = (overview: Pick<Overview, 'waiting' | 'unsent'>, now: number): Shown['late'] =>
  (['waiting', 'unsent'] as const).filter((sort) => {
    const { count, since } = overview[sort];
    return count > 0 && since !== null && now - since > LATE_MS;
  });

/** First page: what needs a person, where the orders are, and whether anything moves. */
export const nowPage = (overview: Shown): Page => ({
  title: 'Now',
  section: '/board',
  content: html`
<h1>Now</h1>
${guideSection(overview.guide)}
${vitals(overview)}
${silence(overview)}
${attention(overview)}
${dueSection(overview.due)}
<section><h2 id="stages">Orders by stage</h2>
<ol class="stages">${overview.stages.map((stage) => column(stage, overview.now))}</ol>
</section>
${flow(overview)}
<div class="halves">
${others(overview)}
${!overview.isOfCustomers && tenants(overview)}
</div>`,
});

/** Writes a bounded count, such as `10,000+`. */
const showCount = ({ count, isMore }: Count): string => `${number(count)}${isMore ? '+' : ''}`;

function vitals({ now, late, waiting, unsent, quarantined, deadLettered }: Shown): Markup {
  const vital = (name: string, count: Count, since: number | null, link: string, isBad: boolean) => html`
<li class="vital${isBad && count.count > 0 && ' bad'}">
<span class="figure">${showCount(count)}</span> <a href="${link}">${name}</a>
${count.count > 0 && since !== null && html`<span class="muted">oldest ${age(since, now)}</span>`}
</li>`;
  return html`<ul class="vitals">
${vital('webhooks waiting', waiting, waiting.since, '/board/webhooks?state=waiting', late.includes('waiting'))}
${vital('announcements being sent', unsent, unsent.since, '/board/announcements', late.includes('unsent'))}
${vital('in quarantine', quarantined, quarantined.since, '/board/quarantine', true)}
${vital('dead letters', deadLettered, deadLettered.since, '/board/dead-letters', true)}
</ul>`;
}

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
<p class="muted">${capitalized(words(subject.stage))} since ${when(subject.stageSince)}</p>
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

const column = (counted: StageCount, now: number): Markup => {
  const { stage, isLast, oldestSince, count } = counted;
  return html`<li class="stage${isLast && ' over'}${count === 0 && ' empty'}">
<a href="${listAddress('/board/subjects', { stage })}"><span class="figure">${showCount(counted)}</span>
<span class="name">${capitalized(words(stage))}</span></a>
<span class="muted">${isLast ? 'in 24 hours' : oldestSince === null ? 'none' : html`oldest ${age(oldestSince, now)}`}</span>
</li>`;
};

function flow({ flow: slices }: Overview): Markup {
  const bars = slices.map(({ at, count }) => ({
    title: `${new Date(at).toISOString().slice(11, 16)} UTC: ${count}`,
    parts: [{ count }],
  }));
  const most = highest(bars);
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  return html`<section><h2 id="flow">Announcements of the last six hours <span class="count">${number(total)}</span></h2>
${chart(bars, `Announcements in each ten minutes; at most ${most}`)}
<p class="axis muted"><span>since ${when(slices[0]?.at ?? 0)}</span> <span>at most ${number(most)} in ten minutes</span> <span>now</span></p>
</section>`;
}

const others = ({ others: counts }: Overview): Markup => html`<section><h2 id="others">Other records</h2>
${table({
  heading: 'others',
  columns: ['Records', numeric('Open')],
  rows: counts.map((counted) => ({
    cells: [
      html`<a href="${listAddress('/board/subjects', { kind: counted.kind })}">${titleOf(counted.kind)}</a>`,
      showCount(counted),
    ],
  })),
})}</section>`;

const tenants = ({ tenants: pulses, now }: Shown): Markup => html`<section><h2 id="tenants">Warehouse accounts</h2>
${
  pulses.length === 0
    ? html`<p class="muted">No webhook has been received yet.</p>`
    : table({
        heading: 'tenants',
        columns: ['Account', 'Newest webhook'],
        rows: pulses.map(({ tenant, lastReceivedAt }) => ({ cells: [foreign(tenant), ago(lastReceivedAt, now)] })),
      })
}
</section>`;
