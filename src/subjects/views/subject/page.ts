import { type Caller, may } from '../../../admin/access.ts';
import { listAddress, nameOf, subjectAddress, titleOf } from '../../../admin/board/addresses.ts';
import { documentLink } from '../../../admin/board/documents.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import type { Page } from '../../../admin/board/layout.ts';
import { stageName, standing } from '../../../admin/board/stage.ts';
import { stepsOf } from '../../../admin/board/steps.ts';
import { fact, nowrap, numeric, table } from '../../../admin/board/table.ts';
import { age, ago, clock, clockIn, duration, number, took, untrusted, when, whole } from '../../../admin/board/text.ts';
import { copiedTracking } from '../../../admin/board/tracking.ts';
import { showResult } from '../../../admin/views/last-action.ts';
import type { Shown } from '../../../admin/views/view.ts';
import { plural } from '../../../base/text.ts';
import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { factsOf } from '../../../domain/health/condition.ts';
import type { Advice } from '../../../domain/kinds/advice.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import type { Lot } from '../../../domain/kinds/lots.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import { isOver } from '../../../domain/lifecycle/stage.ts';
import { subjectActions } from '../../actions.ts';
import { dueChip } from '../due.ts';
import { showReasons } from '../reasons.ts';
import type { ShownSubject } from './read.ts';
import { timeline } from './timeline.ts';

export function subjectPage(shown: Shown<ShownSubject>): Page {
  const { row: subject, now, caller } = shown;
  const { kind, referenceNumber, takenBy, takenAt } = subject;
  return {
    title: [referenceNumber ?? nameOf(subject), subject.facts.customerName]
      .filter((it) => it !== undefined)
      .join(' · '),
    section: kind === mainKind ? 'orders' : 'inventory',
    result: showResult(subject.lastAction, now),
    content: html`
<div class="head" data-panel><a class="muted" href="${listAddress('/board/subjects', { kind })}">${titleOf(kind)}</a>
<h1>${referenceNumber === null ? untrusted(nameOf(subject)) : html`${untrusted(referenceNumber, 60)}<span class="aside">, ${untrusted(nameOf(subject))}</span>`}</h1>
${referenceNumber !== null && html`<span class="id muted">${untrusted(subject.id, 60)}</span>`} ${standing(subject)}
${dueChip(subject, now)}
${takenBy !== null && html`<span class="badge info">taken by ${untrusted(takenBy, 60)}${takenAt && html` ${ago(takenAt, now)}`}</span>`}
${may(caller, 'act') && buttons(subject, caller)}</div>
${marks(subject, now)}
${course(subject, now)}
<div class="sheet"><div class="stack">
${subject.kind === 'receipt' ? received(subject.advice as Advice<'receipt'> | null) : lines(subject)}
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

function group(title: string, given: readonly (Markup | false)[]): Markup | false {
  const known = given.filter((it) => it !== false);
  return known.length > 0 && html`<section class="card"><h2>${title}</h2><dl class="list">${known}</dl></section>`;
}

function shipment({ facts: { carrier, service, trackingNumbers = [] }, advice }: ShownSubject) {
  const { city, region, postalCode, country } = advice && 'shipTo' in advice ? (advice.shipTo ?? {}) : {};
  const place = [city, region, postalCode, country].filter((part) => part !== undefined).join(', ');
  return [
    fact(
      'Carrier',
      carrier !== undefined && html`${whole(carrier)}${service !== undefined && html` ${whole(service)}`}`,
    ),
    fact('Tracking', trackingNumbers.length > 0 && html`${trackingNumbers.map((it) => copiedTracking(it, carrier))}`),
    fact('Ship to', place !== '' && whole(place)),
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

const deadline = ({ row, now }: Shown<ShownSubject>) => [
  fact(
    'Due',
    row.dueAt &&
      html`${clockIn(row.dueAt, row.dueZone, now)} <span class="muted">${punctuality(row, row.dueAt.getTime(), now)}</span>`,
  ),
  fact(
    'Expected',
    row.forecast &&
      html`${clockIn(row.forecast.expectedAt, row.dueZone, now)} <span class="muted">between ${clockIn(row.forecast.earliest, row.dueZone, now)} and ${clockIn(row.forecast.latest, row.dueZone, now)}: ${row.forecast.because}</span>`,
  ),
  fact('Why', row.dueAt !== null && row.dueBecause !== null && whole(row.dueBecause)),
];

/** By the time of recording or of the newest event, whichever was earlier. */
function punctuality({ kind, lifecycle, stage, stageSince, lastEventAt }: ShownSubject, dueAt: number, now: number) {
  if (!isOver(kind, lifecycle)) return dueAt > now ? html`in ${age(dueAt, now)}` : html`${age(dueAt, now)} ago`;
  if (stage !== 'confirmed') return false;
  const shippedAt = Math.min(stageSince.getTime(), lastEventAt?.getTime() ?? Number.POSITIVE_INFINITY);
  const ms = Math.abs(dueAt - shippedAt);
  return shippedAt <= dueAt ? `on time, shipped ${took(ms)} before` : `shipped ${took(ms)} late`;
}

function recordFacts({ row: subject, temporalUrl, now }: Shown<ShownSubject>) {
  const { tenant, stageSince, lastEventAt } = subject;
  const key = subjectKey(subject);
  return [
    fact('Account', untrusted(tenant)),
    fact('In its stage', html`${age(stageSince, now)}, since ${when(stageSince)}`),
    fact('Last event', lastEventAt && when(lastEventAt)),
    fact(
      'Workflow',
      temporalUrl !== undefined &&
        html`<a class="id" href="${temporalUrl}/workflows/${encodeURIComponent(key)}" rel="noreferrer">${untrusted(key)}</a>`,
    ),
  ];
}

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
  const condition = subject.attention.join() === 'stalled' ? 'stalled' : 'record-failing';
  return (
    reasons &&
    html`<section class="card warn"><h2 id="attention">Needs attention</h2>
${reasons}
<p>${documentLink('runbooks', factsOf(condition).runbook, 'What to do')}</p></section>`
  );
}

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
${at !== null && html`<span class="muted">${ms === null ? html`${age(at, now)} ago` : `for ${ms < 1000 ? '< 1 s' : duration(ms)}`}</span>`}
</li>`,
  )}</ol></section>`;
}

function lines({ progress, advice }: ShownSubject): Markup | null {
  if (!progress) return null;
  const { lines: count, picked, packed, byLine } = progress;
  const order = advice as Advice<'order'> | null;
  if (count === null && picked + packed === 0 && !order?.lines) return null;
  const known = (order?.lines ?? []).slice(0, SHOWN);
  const ids = new Set([...known.flatMap(({ lineId }) => lineId ?? []), ...Object.keys(byLine)]);
  // Whoever picks a whole order reports no lines.
  const all = { picked: picked === count, packed: packed === count };
  const rows = [...ids].map((id) => ({ id, line: known.find(({ lineId }) => lineId === id), ...all, ...byLine[id] }));
  const done = (amount: number | undefined, is: boolean) =>
    amount !== undefined
      ? number(amount)
      : is
        ? html`<span class="good">✓<span class="aside"> yes</span></span>`
        : html`<span class="muted">no</span>`;
  return html`<section data-panel><h2 id="lines">Lines</h2>
<p class="muted">${count === null ? 'Of its lines' : `Of ${plural(count, 'line')}`}, ${picked} picked and ${packed} packed.</p>
${
  rows.length > 0 &&
  table({
    heading: 'lines',
    columns: [
      nowrap('Line'),
      nowrap('SKU'),
      ...['Ordered', 'Picked', 'Packed', 'Shipped'].map(numeric),
      rows.some(({ line }) => line?.short !== undefined && line.short > 0) && numeric('Short'),
      'Lots',
    ],
    rows: rows.map(({ id, line = {}, picked, packed }) => ({
      cells: [
        untrusted(id),
        line.sku !== undefined && untrusted(line.sku),
        showAmount(line.ordered),
        done(line.picked, picked),
        done(line.packed, packed),
        showAmount(line.shipped),
        line.short !== undefined && line.short > 0 && html`<span class="soon">${number(line.short)}</span>`,
        (line.lots ?? []).map(showLot),
      ],
    })),
  })
}
${parcels(order?.parcels?.slice(0, SHOWN))}</section>`;
}

const received = (advice: Advice<'receipt'> | null): Markup | null =>
  advice?.lines
    ? html`<section data-panel><h2 id="lines">Lines</h2>
${table({
  heading: 'lines',
  columns: ['Line', 'SKU', ...['Expected', 'Received', 'Difference'].map(numeric), 'Lots', 'On hold'],
  rows: advice.lines.slice(0, SHOWN).map(({ lineId, sku, difference = 0, isOnHold, holdReason = 'yes', ...line }) => ({
    cells: [
      lineId !== undefined && untrusted(lineId),
      sku !== undefined && untrusted(sku),
      showAmount(line.expected),
      showAmount(line.received),
      difference !== 0 && html`<span class="soon">${difference > 0 && '+'}${number(difference)}</span>`,
      (line.lots ?? []).map(showLot),
      isOnHold && untrusted(holdReason, 60),
    ],
  })),
})}</section>`
    : null;

const SHOWN = 500;

const showLot = ({ lotNumber, expiresOn, serialNumbers = [] }: Lot): Markup =>
  html`<div>${lotNumber !== undefined && untrusted(lotNumber, 60)}${expiresOn !== undefined && html` until <span class="nowrap">${expiresOn}</span>`}${serialNumbers.length > 0 && html` <span class="muted">${plural(serialNumbers.length, 'serial number')}</span>`}</div>`;

const parcels = (known: Advice<'order'>['parcels'] = []): Markup | false =>
  known.length > 0 &&
  html`<h2 id="parcels">Parcels</h2>
${table({
  heading: 'parcels',
  columns: ['Tracking', 'Type', numeric('Weight'), 'Contents'],
  rows: known.map(({ trackingNumber, trackingUrl, type, weight, lines: contents = [] }) => ({
    cells: [
      trackingNumber !== undefined &&
        (trackingUrl === undefined
          ? untrusted(trackingNumber, 60)
          : html`<a class="id" href="${trackingUrl}" rel="noreferrer">${trackingNumber}</a>`),
      type !== undefined && untrusted(type, 60),
      showAmount(weight),
      folded(
        contents.map(
          ({ sku, lineId, quantity }) =>
            html`<div>${quantity !== undefined && `${number(quantity)} × `}${untrusted(sku ?? lineId ?? '', 60)}</div>`,
        ),
      ),
    ],
  })),
})}`;

const UNFOLDED = 5;

const folded = (lines: readonly Markup[]): Markup | readonly Markup[] =>
  lines.length <= UNFOLDED ? lines : html`<details><summary>${lines.length} lines</summary>${lines}</details>`;
