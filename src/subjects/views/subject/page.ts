import { type Caller, may } from '../../../admin/access.ts';
import { listAddress, nameOf, sectionOf, subjectAddress, titleOf } from '../../../admin/board/addresses.ts';
import { documentLink } from '../../../admin/board/documents.ts';
import { type Content, html, type Markup } from '../../../admin/board/html.ts';
import type { Page } from '../../../admin/board/layout.ts';
import { stageName, standing, stepsOf } from '../../../admin/board/stage.ts';
import { fact, table } from '../../../admin/board/table.ts';
import {
  age,
  ago,
  clock,
  clockIn,
  duration,
  number,
  took,
  trackingLink,
  untrusted,
  when,
  whole,
} from '../../../admin/board/text.ts';
import type { Shown } from '../../../admin/views/view.ts';
import { capitalized, plural } from '../../../base/text.ts';
import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { factsOf } from '../../../domain/health/condition.ts';
import type { Advice } from '../../../domain/kinds/advice.ts';
import type { mainKind } from '../../../domain/kinds/kinds.ts';
import type { Lot } from '../../../domain/kinds/transaction.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import { isOver } from '../../../domain/lifecycle/stage.ts';
import { subjectActions } from '../../actions.ts';
import { dueChip, showReasons } from '../reasons.ts';
import type { ShownSubject } from './read.ts';
import { timeline } from './timeline.ts';

export function subjectPage(shown: Shown<ShownSubject>): Page {
  const { row: subject, now, caller } = shown;
  const { kind, referenceNumber, takenBy, takenAt } = subject;
  return {
    title: [referenceNumber ?? nameOf(subject), subject.facts.customerName]
      .filter((it) => it !== undefined)
      .join(' · '),
    section: sectionOf(kind),
    content: html`
<div class="head"><a class="muted" href="${listAddress('/board/subjects', { kind })}">${titleOf(kind)}</a>
<h1>${referenceNumber === null ? untrusted(nameOf(subject)) : html`${untrusted(referenceNumber, 60)}<span class="aside">, ${untrusted(nameOf(subject))}</span>`}</h1>
${referenceNumber !== null && html`<span class="id muted">${untrusted(subject.id, 60)}</span>`} ${standing(subject)}
${dueChip(subject, now)}
${takenBy !== null && html`<span class="badge info">taken by ${untrusted(takenBy, 60)}${takenAt && html` ${ago(takenAt, now)}`}</span>`}
${may(caller, 'act') && buttons(subject, caller)}</div>
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

const facts = (shown: Shown<ShownSubject>): Markup => html`<aside class="stack" aria-label="Facts">
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
    fact(
      'Tracking',
      trackingNumbers.length > 0 &&
        html`${trackingNumbers.map((it) => html`<div class="id">${trackingLink(it, carrier)}</div>`)}`,
    ),
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
  fact('Why', row.dueAt !== null && row.dueBecause !== null && whole(`By the rule ${row.dueBecause}`)),
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
    html`<section class="card warn stack"><h2 id="attention">Needs attention</h2>
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
  return html`<section><h2 id="course" class="aside">Stages</h2>
<ol class="course">${steps.map(
    ({ milestone, at, ms, isInferred }) => html`<li class="s-${milestone}${at === null && ' ahead'}">
<span class="name">${stageName(milestone, kind)}</span>
${at === null ? html`<span class="muted">not yet</span>` : html`<span>${clock(at)}</span>`}
${isInferred && html`<span class="muted">shown by the record; no event came</span>`}
${at !== null && html`<span class="muted">${ms === null ? html`${age(at, now)} ago` : `for ${ms < 1000 ? '< 1 s' : duration(ms)}`}</span>`}
</li>`,
  )}</ol></section>`;
}

const amounts = [
  ...(['quantity', 'ordered', 'expected', 'picked', 'packed'] as const),
  ...(['shipped', 'received', 'short', 'difference'] as const),
];

type Amount = (typeof amounts)[number];

type Stated = { readonly [A in Amount]?: number | undefined } & {
  readonly [M in 'lineId' | 'sku' | 'holdReason']?: string | undefined;
} & { readonly isOnHold?: boolean | undefined; readonly lots?: readonly Lot[] | undefined };

/** Shows what the record says of its lines, and events of a line that it does not have. */
function lines({ progress, advice }: ShownSubject): Markup | null {
  const known: readonly Stated[] = advice && 'lines' in advice ? (advice.lines ?? []).slice(0, SHOWN) : [];
  const { lines: count = null, picked = 0, packed = 0, byLine = {} } = progress ?? {};
  if (count === null && picked + packed === 0 && known.length === 0) return null;
  const others = Object.keys(byLine).filter((id) => known.every(({ lineId }) => lineId !== id));
  const all: readonly Stated[] = [...known, ...others.map((lineId) => ({ lineId }))];
  const rows = all.map((line, index) => ({ ...line, name: line.lineId ?? String(index + 1) }));
  const cellOf = (name: Amount, line: Stated): Content => {
    const amount = line[name];
    if (name === 'short' || name === 'difference') {
      const sign = name === 'difference' && (amount ?? 0) > 0 && '+';
      return amount ? html`<span class="soon">${sign}${number(amount)}</span>` : null;
    }
    if (amount !== undefined || !progress || (name !== 'picked' && name !== 'packed')) return showAmount(amount);
    // Whoever picks a whole order reports no lines.
    const isDone = byLine[line.lineId ?? '']?.[name] ?? progress[name] === count;
    return isDone
      ? html`<span class="good">✓<span class="aside"> yes</span></span>`
      : html`<span class="muted">no</span>`;
  };
  return html`<section><h2 id="lines">Lines</h2>
${progress && html`<p class="muted">${count === null ? 'Of its lines' : `Of ${plural(count, 'line')}`}, ${picked} picked and ${packed} packed.</p>`}
${
  rows.length > 0 &&
  table({
    heading: 'lines',
    rows,
    columns: {
      Line: { as: 'nowrap', cell: ({ name }) => untrusted(name) },
      SKU: { as: 'nowrap', cell: ({ sku }) => sku !== undefined && untrusted(sku) },
      ...Object.fromEntries(
        amounts.map((name) => [capitalized(name), { as: 'number', cell: (line: Stated) => cellOf(name, line) }]),
      ),
      Lots: ({ lots = [] }) => lots.length > 0 && lots.map(showLot),
      'On hold': ({ isOnHold, holdReason }) => isOnHold && untrusted(holdReason ?? 'yes', 60),
    },
  })
}
${advice && 'parcels' in advice && parcels(advice.parcels?.slice(0, SHOWN))}</section>`;
}

const SHOWN = 500;

const showLot = ({ lotNumber, expiresOn, serialNumbers = [] }: Lot): Markup =>
  html`<div>${lotNumber !== undefined && untrusted(lotNumber, 60)}${expiresOn !== undefined && html` until <span class="nowrap">${expiresOn}</span>`}${serialNumbers.length > 0 && html` <span class="muted">${plural(serialNumbers.length, 'serial number')}</span>`}</div>`;

const parcels = (known: Advice<typeof mainKind>['parcels'] = []): Markup | false =>
  known.length > 0 &&
  html`<h2 id="parcels">Parcels</h2>
${table({
  heading: 'parcels',
  rows: known,
  columns: {
    Tracking: ({ trackingNumber, trackingUrl }) =>
      trackingNumber !== undefined &&
      (trackingUrl === undefined
        ? untrusted(trackingNumber, 60)
        : html`<a class="id" href="${trackingUrl}" rel="noreferrer">${trackingNumber}</a>`),
    Type: ({ type }) => type !== undefined && untrusted(type, 60),
    Weight: { as: 'number', cell: ({ weight }) => showAmount(weight) },
    Contents: ({ lines: contents = [] }) =>
      folded(
        contents.map(
          ({ sku, lineId, quantity }) =>
            html`<div>${quantity !== undefined && `${number(quantity)} × `}${untrusted(sku ?? lineId ?? '', 60)}</div>`,
        ),
      ),
  },
})}`;

const UNFOLDED = 5;

const folded = (lines: readonly Markup[]): Markup | readonly Markup[] =>
  lines.length <= UNFOLDED ? lines : html`<details><summary>${lines.length} lines</summary>${lines}</details>`;
