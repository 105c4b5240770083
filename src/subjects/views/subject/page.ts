import { type Caller, may } from '../../../admin/access.ts';
import { listAddress, nameOf, subjectAddress, titleOf } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import type { Page } from '../../../admin/board/layout.ts';
import { stageName, standing } from '../../../admin/board/stage.ts';
import { stepsOf } from '../../../admin/board/steps.ts';
import { fact, numeric, table } from '../../../admin/board/table.ts';
import { age, ago, clock, duration, number, until, untrusted, when, whole } from '../../../admin/board/text.ts';
import { trackingLink } from '../../../admin/board/tracking.ts';
import { showResult } from '../../../admin/views/last-action.ts';
import type { Shown } from '../../../admin/views/view.ts';
import { plural } from '../../../base/text.ts';
import { subjectKey } from '../../../domain/catalogue/subject.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import { isOver } from '../../../domain/lifecycle/stage.ts';
import { subjectActions } from '../../actions.ts';
import { showReasons } from '../reasons.ts';
import type { ShownSubject } from './read.ts';
import { timeline } from './timeline.ts';

/** Page of one order or record. */
export function subjectPage(shown: Shown<ShownSubject>): Page {
  const { row: subject, now, done, caller } = shown;
  const { kind, referenceNumber, dueAt, takenBy, lifecycle } = subject;
  const isDue = dueAt !== null && !isOver(kind, lifecycle);
  return {
    title: nameOf(subject),
    section: kind === 'order' ? 'orders' : 'inventory',
    content: html`
<div class="head" data-panel><a class="muted" href="${listAddress('/board/subjects', { kind })}">${titleOf(kind)}</a>
<h1>${referenceNumber === null ? untrusted(nameOf(subject)) : html`${untrusted(referenceNumber, 60)}<span class="aside">, ${untrusted(nameOf(subject))}</span>`}</h1>
<span class="id muted">${untrusted(subject.id, 60)}</span> ${standing(subject)}
${isDue && dueChip(subject, now)}
${takenBy !== null && html`<span class="badge info">taken by ${untrusted(takenBy, 60)}</span>`}
${may(caller, 'act') && buttons(subject, caller)}</div>
${showResult(subject.lastAction, done, now)}
${marks(subject, now)}
${course(subject, now)}
<div class="sheet"><div class="stack">
${lines(subject)}
${timeline(shown)}
</div>
${facts(shown)}
</div>`,
  };
}

const facts = (shown: Shown<ShownSubject>): Markup => html`<aside class="side" data-panel aria-label="Facts">
${group('Shipment', shipment(shown.row))}
${group('Who and where', parties(shown.row))}
${group('Deadline', deadline(shown))}
${group('Stock', levelFacts(shown.row.facts.levels))}
${group('Record', recordFacts(shown))}
</aside>`;

/** Shows facts that belong together; nothing if none is known. */
function group(title: string, given: readonly (Markup | false)[]): Markup | false {
  const known = given.filter((it) => it !== false);
  return known.length > 0 && html`<section class="card"><h2>${title}</h2><dl class="list">${known}</dl></section>`;
}

function shipment({ facts: { carrier, service, trackingNumbers = [] }, record }: ShownSubject) {
  return [
    fact(
      'Carrier',
      carrier !== undefined && html`${whole(carrier)}${service !== undefined && html` ${whole(service)}`}`,
    ),
    fact(
      'Tracking',
      trackingNumbers.length > 0 &&
        html`${trackingNumbers.map((it) => html`<div class="id">${trackingLink(it, carrier)}</div>`)}`,
    ),
    fact('Ship to', record?.shipTo !== undefined && whole(record.shipTo)),
  ];
}

function parties({
  referenceNumber,
  customerId,
  facilityId,
  lifecycle,
  facts: { customerName, poNumber, externalId },
}: ShownSubject) {
  const { facilityName } = lifecycle.snapshot ?? {};
  const named = (id: string | null, name: string | undefined) =>
    id !== null && html`${name !== undefined && html`${whole(name)} `}<span class="id muted">${whole(id)}</span>`;
  return [
    fact('Customer', named(customerId, customerName)),
    fact('Facility', named(facilityId, facilityName)),
    fact('Reference', referenceNumber !== null && whole(referenceNumber)),
    fact('PO number', poNumber !== undefined && whole(poNumber)),
    fact('External id', externalId !== undefined && whole(externalId)),
  ];
}

const deadline = ({ row: { dueAt, dueBecause }, now }: Shown<ShownSubject>) => [
  fact(
    'Due',
    dueAt &&
      html`${when(dueAt)} <span class="muted">${dueAt.getTime() > now ? 'in ' : ''}${until(dueAt, now)}${dueAt.getTime() > now ? '' : ' ago'}</span>`,
  ),
  fact('Why', dueAt !== null && dueBecause !== null && whole(dueBecause)),
];

function recordFacts({ row: subject, temporalUrl, now }: Shown<ShownSubject>) {
  const { tenant, stageSince, lastEventAt, takenBy, takenAt } = subject;
  const key = subjectKey(subject);
  return [
    fact('Account', untrusted(tenant)),
    fact('In its stage', html`${age(stageSince, now)}, since ${when(stageSince)}`),
    fact('Last event', lastEventAt && when(lastEventAt)),
    fact('Taken by', takenBy !== null && html`${untrusted(takenBy, 60)}${takenAt && html` ${ago(takenAt, now)}`}`),
    fact(
      'Workflow',
      temporalUrl !== undefined &&
        html`<a class="id" href="${temporalUrl}/workflows/${encodeURIComponent(key)}" rel="noreferrer">${untrusted(key)}</a>`,
    ),
  ];
}

/** Shows how far its deadline is. */
function dueChip({ dueAt, atRiskAt }: ShownSubject, now: number): Markup | false {
  if (dueAt === null) return false;
  if (dueAt.getTime() <= now) return html`<span class="badge bad">overdue by ${until(dueAt, now)}</span>`;
  const isSoon = atRiskAt !== null && atRiskAt.getTime() <= now;
  return html`<span class="badge${isSoon && ' soon'}">due in ${until(dueAt, now)}</span>`;
}

/** Amounts of stock in the words of the warehouse. */
export const levelTitles = {
  onHand: 'On hand',
  available: 'Available',
  allocated: 'Allocated',
  onHold: 'On hold',
  totalReceived: 'Received in all',
} as const satisfies Record<keyof StockLevels, string>;

const levelFacts = (levels: StockLevels = {}) =>
  Object.entries(levelTitles).map(([name, title]) => fact(title, showAmount(levels[name as keyof StockLevels])));

const showAmount = (amount: number | undefined): string | null => (amount === undefined ? null : number(amount));

function marks(subject: ShownSubject, now: number): Markup | null {
  const reasons = showReasons(subject, now);
  return (
    reasons &&
    html`<section class="card warn"><h2 id="attention">Needs attention</h2>
${reasons}</section>`
  );
}

/** Shows the button of each action that would do something to a subject, in the order of their list. */
const buttons = (subject: ShownSubject, caller: Caller): Markup => html`<div class="actions">
${subjectActions.map(({ path, button }) => {
  const shown = button?.(subject, caller);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    shown &&
    html`<form method="post" action="${subjectAddress(subject)}/${name}"><button title="${shown.hint}">${shown.label}</button></form>`
  );
})}
</div>`;

function course({ kind, lifecycle }: ShownSubject, now: number): Markup | null {
  const steps = stepsOf(kind, lifecycle);
  if (steps.length === 0) return null;
  return html`<section data-panel><h2 id="course" class="aside">Stages</h2>
<ol class="course">${steps.map(
    ({ milestone, at, ms, isInferred }) => html`<li class="s-${milestone}${at === null && ' ahead'}">
<span class="name">${stageName(milestone, kind)}</span>
${at === null ? html`<span class="muted">not yet</span>` : html`<span>${clock(at)}</span>`}
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
  // Whoever picks a whole order reports no lines.
  const all = { picked: picked === count, packed: packed === count };
  const rows = [...ids].map((id) => ({ id, ...known.find((it) => it.id === id), ...all, ...byLine[id] }));
  const yes = (is = false) =>
    is ? html`<span class="good">✓<span class="aside"> yes</span></span>` : html`<span class="muted">no</span>`;
  return html`<section data-panel><h2 id="lines">Lines</h2>
<p class="muted">${count === null ? 'Of its lines' : `Of ${plural(count, 'line')}`}, ${picked} picked and ${packed} packed.</p>
${
  rows.length > 0 &&
  table({
    heading: 'lines',
    columns: ['Line', 'SKU', numeric('Quantity'), 'Picked', 'Packed'],
    rows: rows.map(({ id, sku, quantity, picked, packed }) => ({
      cells: [untrusted(id), sku !== undefined && untrusted(sku), showAmount(quantity), yes(picked), yes(packed)],
    })),
  })
}</section>`;
}
