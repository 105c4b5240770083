import { subjectKey } from '../../../domain/catalogue/subject.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import { isOver } from '../../../domain/lifecycle/stage.ts';
import { type Caller, may } from '../../access.ts';
import { listAddress, nameOf, subjectAddress, titleOf } from '../../board/addresses.ts';
import { html, type Markup } from '../../board/html.ts';
import type { Page } from '../../board/layout.ts';
import { notice } from '../../board/notice.ts';
import { showReasons } from '../../board/reasons.ts';
import { stepsOf } from '../../board/steps.ts';
import { fact, numeric, table } from '../../board/table.ts';
import { age, ago, capitalized, duration, foreign, number, plural, when, whole, words } from '../../board/text.ts';
import { trackingLink } from '../../board/tracking.ts';
import type { Shown } from '../view.ts';
import { notesSection } from './notes.ts';
import type { ShownSubject } from './read.ts';
import { timeline } from './timeline.ts';

/** Page of one order or record. */
export function subjectPage(shown: Shown<ShownSubject>): Page {
  const { row: subject, now, done, caller } = shown;
  return {
    title: nameOf(subject),
    section: subject.kind === 'order' ? 'orders' : 'inventory',
    content: html`
<p><a href="${listAddress('/board/subjects', { kind: subject.kind })}">${titleOf(subject.kind)}</a></p>
<h1>${foreign(nameOf(subject))} <span class="badge big">${capitalized(words(subject.stage))}</span></h1>
${notice(done)}
${facts(shown)}
${marks(subject, now)}
${may(caller, 'act') && actions(subject, caller)}
${notesSection(shown)}
${course(subject, now)}
${lines(subject)}
${timeline(shown)}`,
  };
}

function facts({ row: subject, temporalUrl, now }: Shown<ShownSubject>): Markup {
  const { referenceNumber, customerId, facilityId, tenant, stageSince, lastEventAt, lifecycle, record } = subject;
  const { facilityName } = lifecycle.snapshot ?? {};
  const { customerName, poNumber, externalId, carrier, service, trackingNumbers = [], levels } = subject.facts;
  const { dueAt, dueBecause, takenBy, takenAt } = subject;
  const named = (id: string | null, name: string | undefined) =>
    id !== null && html`${name !== undefined && html`${whole(name)} `}<span class="muted">${whole(id)}</span>`;
  return html`<dl class="facts">
${fact('Taken by', takenBy !== null && html`${foreign(takenBy, 60)}${takenAt && html` ${ago(takenAt, now)}`}`)}
${fact('Reference', referenceNumber !== null && whole(referenceNumber))}
${fact('Customer', named(customerId, customerName))}
${fact('Facility', named(facilityId, facilityName))}
${fact('PO number', poNumber !== undefined && whole(poNumber))}
${fact('External id', externalId !== undefined && whole(externalId))}
${fact('Carrier', carrier !== undefined && html`${whole(carrier)}${service !== undefined && html` ${whole(service)}`}`)}
${fact('Tracking', trackingNumbers.length > 0 && html`${trackingNumbers.map((it) => html`<div>${trackingLink(it, carrier)}</div>`)}`)}
${fact('Ship to', record?.shipTo !== undefined && whole(record.shipTo))}
${levelFacts(levels)}
${fact('Account', foreign(tenant))}
${fact('In its stage', html`${age(stageSince, now)}, since ${when(stageSince)}`)}
${fact('Last event', lastEventAt && when(lastEventAt))}
${fact('Due', dueAt && html`${when(dueAt)} <span class="muted">${whole(dueBecause ?? '')}</span>`)}
${fact('Workflow', temporalUrl !== undefined && html`<a href="${temporalUrl}/workflows/${encodeURIComponent(subjectKey(subject))}" rel="noreferrer">${foreign(subjectKey(subject))}</a>`)}
</dl>`;
}

/** Amounts of stock in the words of the warehouse. */
export const levelTitles = {
  onHand: 'On hand',
  available: 'Available',
  allocated: 'Allocated',
  onHold: 'On hold',
  totalReceived: 'Received in all',
} as const satisfies Record<keyof StockLevels, string>;

const levelFacts = (levels: StockLevels = {}): Markup =>
  html`${Object.entries(levelTitles).map(([name, title]) => fact(title, showAmount(levels[name as keyof StockLevels])))}`;

const showAmount = (amount: number | undefined): string | null => (amount === undefined ? null : number(amount));

function marks(subject: ShownSubject, now: number): Markup | null {
  const reasons = showReasons(subject, now);
  return (
    reasons &&
    html`<section class="card warn"><h2 id="attention">Needs attention</h2>
${reasons}</section>`
  );
}

const actions = (subject: ShownSubject, caller: Caller): Markup => {
  const { kind, lifecycle, attention, cleared, takenBy } = subject;
  const isFinished = isOver(kind, lifecycle) && attention.length === 0;
  const action = (name: string, label: string, hint: string) =>
    html`<form method="post" action="${subjectAddress(subject)}/${name}"><button title="${hint}">${label}</button></form>`;
  return html`<div class="actions">
${action('refresh', 'Refresh', 'Asks the warehouse for it now')}
${!isFinished && takenBy !== caller.name && action('take', takenBy === null ? 'Take' : 'Take over', 'Tells the others that you are on it')}
${takenBy !== null && action('give-back', 'Give back', 'Tells the others that nobody is on it')}
${attention.some((it) => it !== 'failing') && action('release', 'Clear attention', 'Removes its marks until there is a new reason')}
${cleared.length > 0 && action('undo-release', 'Undo clearing', 'Brings back its marks that were cleared')}
</div>`;
};

function course({ kind, lifecycle }: ShownSubject, now: number): Markup | null {
  const steps = stepsOf(kind, lifecycle);
  if (steps.length === 0) return null;
  return html`<section><h2 id="course">Stages</h2>
<ol class="course">${steps.map(
    ({ milestone, at, ms, isInferred }) => html`<li${at === null && html` class="ahead"`}>
<span class="name">${capitalized(words(milestone))}</span>
${at === null ? html`<span class="muted">not yet</span>` : html`<span>${when(at)}</span>`}
${isInferred && html`<span class="muted">shown by the record; no event came</span>`}
${at !== null && html`<span class="muted">${ms === null ? html`${age(at, now)} ago` : `next after ${ms < 1000 ? '< 1 s' : duration(ms)}`}</span>`}
</li>`,
  )}</ol></section>`;
}

function lines({ progress, record }: ShownSubject): Markup | null {
  if (!progress) return null;
  const { lines: count, picked, packed, byLine } = progress;
  if (count === null && picked + packed === 0) return null;
  const known = record?.lines ?? [];
  const ids = new Set([...known.map(({ id }) => id), ...Object.keys(byLine)]);
  const rows = [...ids].map((id) => ({ id, ...known.find((it) => it.id === id), ...byLine[id] }));
  const yes = (is = false) => (is ? 'yes' : html`<span class="muted">no</span>`);
  return html`<section><h2 id="lines">Lines</h2>
<p>${count === null ? 'Of its lines' : `Of ${plural(count, 'line')}`}, ${picked} picked and ${packed} packed.</p>
${
  rows.length > 0 &&
  table({
    heading: 'lines',
    columns: ['Line', 'SKU', numeric('Quantity'), 'Picked', 'Packed'],
    rows: rows.map(({ id, sku, quantity, picked, packed }) => ({
      cells: [foreign(id), sku !== undefined && foreign(sku), showAmount(quantity), yes(picked), yes(packed)],
    })),
  })
}</section>`;
}
