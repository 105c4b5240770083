import { collectionOf, type SubjectRef, subjectKey } from '../../../domain/catalogue/subject.ts';
import type { Lifecycle } from '../../../domain/lifecycle/lifecycle.ts';
import { progressOf } from '../../../domain/lifecycle/progress.ts';
import { type Caller, may } from '../../access.ts';
import type { ListedAnnouncement, ListedSubject } from '../../ports.ts';
import { announcementAddress, listAddress, nameOf, subjectAddress, titleOf } from '../addresses.ts';
import { chronicleOf, type Entry } from '../chronicle.ts';
import type { Glimpse } from '../glimpse.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../notices.ts';
import type { Delivery } from '../ports.ts';
import { showReasons } from '../reasons.ts';
import { stepsOf } from '../steps.ts';
import { table } from '../table.ts';
import { capitalized, foreign, plural, whole, words } from '../text.ts';
import { age, duration, when } from '../time.ts';
import { resendButton, stateBadge } from './announcement.ts';

/** Everything that the page of a subject shows. */
export interface SubjectDetails {
  readonly subject: ListedSubject & { readonly lifecycle: Lifecycle };
  readonly announcements: readonly ListedAnnouncement[];
  readonly deliveries: readonly Delivery[];
  readonly glimpse: Glimpse;
  /** Address of its workflow in the Temporal UI. */
  readonly workflowUrl: string | undefined;
  /** Action that has just been done. */
  readonly done: string | undefined;
  readonly now: number;
  readonly caller: Caller;
}

/** Page of one order or record. */
export function subjectPage(details: SubjectDetails): Page {
  const { subject, now, done, caller } = details;
  return {
    title: nameOf(subject),
    section: '/board/subjects',
    content: html`
<p><a href="${listAddress('/board/subjects', { kind: subject.kind })}">${titleOf(subject.kind)}</a></p>
<h1>${foreign(nameOf(subject))} <span class="badge big">${capitalized(words(subject.stage))}</span></h1>
${notice(done)}
${facts(details)}
${marks(subject, now)}
${may(caller, 'act') && actions(subject)}
${course(subject, now)}
${lines(subject)}
${timeline(details)}`,
  };
}

function facts({ subject, workflowUrl, now }: SubjectDetails): Markup {
  const { referenceNumber, customerId, facilityId, tenant, stageSince, lastEventAt, lifecycle } = subject;
  const { customerName, facilityName } = lifecycle.snapshot ?? {};
  const named = (id: string | null, name: string | undefined) =>
    id !== null && html`${name !== undefined && html`${whole(name)} `}<span class="muted">${whole(id)}</span>`;
  const fact = (name: string, value: Markup | false) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
${fact('Reference', referenceNumber !== null && whole(referenceNumber))}
${fact('Customer', named(customerId, customerName))}
${fact('Facility', named(facilityId, facilityName))}
${fact('Account', foreign(tenant))}
${fact('In its stage', html`${age(stageSince, now)}, since ${when(stageSince)}`)}
${fact('Last event', lastEventAt > 0 && when(lastEventAt))}
${fact('Workflow', workflowUrl !== undefined && html`<a href="${workflowUrl}" rel="noreferrer">${foreign(subjectKey(subject))}</a>`)}
</dl>`;
}

function marks(subject: ListedSubject, now: number): Markup | null {
  const reasons = showReasons(subject, now);
  return (
    reasons &&
    html`<section class="card warn"><h2 id="attention">Needs attention</h2>
${reasons}</section>`
  );
}

const actions = (subject: ListedSubject): Markup => {
  const action = (name: string, label: string, hint: string) =>
    html`<form method="post" action="${subjectAddress(subject)}/${name}"><button title="${hint}">${label}</button></form>`;
  return html`<div class="actions">
${action('refresh', 'Refresh', 'Asks the warehouse for it now')}
${subject.attention.some((it) => it !== 'failing') && action('release', 'Clear attention', 'Removes its marks until there is a new reason')}
</div>`;
};

function course({ kind, lifecycle }: SubjectDetails['subject'], now: number): Markup | null {
  const steps = stepsOf(kind, lifecycle);
  if (steps.length === 0) return null;
  return html`<section><h2 id="course">Stages</h2>
<ol class="course">${steps.map(
    ({ milestone, at, ms, isInferred }) => html`<li${at === null && html` class="ahead"`}>
<span class="name">${capitalized(words(milestone))}</span>
${at === null ? html`<span class="muted">not yet</span>` : html`<span>${when(at)}</span>`}
${isInferred && html`<span class="muted">shown by the record; no event came</span>`}
${at !== null && html`<span class="muted">${ms === null ? html`${age(at, now)} ago` : `next ${ms < 1000 ? 'within a second' : `after ${duration(ms)}`}`}</span>`}
</li>`,
  )}</ol></section>`;
}

function lines({ kind, lifecycle }: SubjectDetails['subject']): Markup | null {
  const { lines: count, picked, packed, byLine } = progressOf(lifecycle);
  if (kind !== 'order' || (count === null && picked + packed === 0)) return null;
  const rows = Object.entries(byLine);
  const yes = (is: boolean) => (is ? 'yes' : html`<span class="muted">no</span>`);
  return html`<section><h2 id="lines">Lines</h2>
<p>${count === null ? 'Of its lines' : `Of ${plural(count, 'line')}`}, ${picked} picked and ${packed} packed.</p>
${
  rows.length > 0 &&
  table({
    heading: 'lines',
    columns: ['Line', 'Picked', 'Packed'],
    rows: rows.map(
      ([id, line]) =>
        html`<tr><th scope="row">${foreign(id)}</th><td>${yes(line.picked)}</td><td>${yes(line.packed)}</td></tr>`,
    ),
  })
}</section>`;
}

const silence = {
  gone: 'Temporal no longer has a workflow of it, so its GETs are not listed.',
  late: 'Its workflow does not answer at once, so its GETs are not listed.',
  outage: 'Temporal does not answer now, so its GETs are not listed.',
} as const;

function timeline({ subject, deliveries, announcements, glimpse, now, caller }: SubjectDetails): Markup {
  const entries = chronicleOf({ deliveries, announcements, lines: 'live' in glimpse ? glimpse.live.timeline : [] });
  return html`<section><h2 id="timeline">Timeline</h2>
${'problem' in glimpse && html`<p class="muted">${silence[glimpse.problem]}</p>`}
${entries.length === 0 && html`<p class="empty">Nothing has happened to the ${foreign(collectionOf[subject.kind].replace(/s$/, ''))} yet, or it was long ago.</p>`}
<ol class="timeline">${entries.map((entry) => html`<li class="${entry.type}">${when(entry.at)} ${show(entry, subject, { now, mayAct: may(caller, 'act') })}</li>`)}</ol>
</section>`;
}

/** Circumstances of an entry. */
interface Around {
  readonly now: number;
  readonly mayAct: boolean;
}

function show(entry: Entry, subject: SubjectRef, around: Around): Markup {
  if (entry.type === 'workflow')
    return html`<div><p><span class="tag">GET</span> ${foreign(entry.text.replace(/^fetched /, ''), 300)}</p></div>`;
  return entry.type === 'delivery' ? showDelivery(entry.delivery) : showAnnouncement(entry, subject, around);
}

const showDelivery = ({ id, event, eventId, endpoint, receivedAt, observedAt, bytes }: Delivery): Markup => html`<div>
<p><span class="tag">Webhook</span> <a href="/board/deliveries/${id}"><strong>${foreign(event ?? eventId)}</strong></a></p>
<p class="muted">${foreign(eventId)} · ${foreign(endpoint)} · ${bytes === 0 ? 'body purged' : plural(bytes, 'byte')} · ${observedAt === null ? 'waits to be recorded' : `recorded after ${Math.max(0, observedAt - receivedAt)} ms`}</p>
</div>`;

function showAnnouncement(
  { announcement, milestone }: Extract<Entry, { readonly type: 'announcement' }>,
  subject: SubjectRef,
  { now, mayAct }: Around,
): Markup {
  const { id, revision, attempts, lastStatus, lastError, deadLetterReason, sentAt, createdAt } = announcement;
  return html`<div>
<p><span class="tag">Announced</span> <a href="${announcementAddress(id)}"><strong>${capitalized(words(milestone))}</strong></a> ${stateBadge(announcement)}</p>
<p class="muted">revision ${revision} · ${plural(attempts, 'attempt')}${lastStatus !== null && ` · last answer ${lastStatus}`}${sentAt !== null && ` · acknowledged after ${Math.max(0, sentAt - createdAt)} ms`}${sentAt === null && html` · for ${age(createdAt, now)}`}</p>
${lastError !== null && html`<p class="error">${foreign(lastError, 300)}</p>`}
${deadLetterReason !== null && html`<p class="error">${foreign(deadLetterReason, 300)}</p>${mayAct && resendButton(announcement, subjectAddress(subject))}`}
</div>`;
}
