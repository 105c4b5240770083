import { subjectKey } from '../../../domain/catalogue/subject.ts';
import type { Lifecycle } from '../../../domain/lifecycle/lifecycle.ts';
import { progressOf } from '../../../domain/lifecycle/progress.ts';
import { may } from '../../access.ts';
import type { ListedSubject } from '../../ports.ts';
import { listAddress, nameOf, subjectAddress, titleOf } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../notice.ts';
import { showReasons } from '../reasons.ts';
import { stepsOf } from '../steps.ts';
import { fact, table } from '../table.ts';
import { age, capitalized, duration, foreign, plural, when, whole, words } from '../text.ts';
import { type TimelineDetails, timeline } from './timeline.ts';

/** Everything that the page of a subject shows. */
export interface SubjectDetails extends TimelineDetails {
  readonly subject: ListedSubject & { readonly lifecycle: Lifecycle };
  /** Address of its workflow in the Temporal UI. */
  readonly workflowUrl: string | undefined;
  /** Action that has just been done. */
  readonly done: string | undefined;
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
