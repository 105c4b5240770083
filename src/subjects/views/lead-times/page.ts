import { listAddress, titleOf as titleOfKind } from '../../../admin/board/addresses.ts';
import { spark } from '../../../admin/board/chart.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import type { Page } from '../../../admin/board/layout.ts';
import type { Fields } from '../../../admin/board/list-forms.ts';
import { stageName } from '../../../admin/board/stage.ts';
import { table } from '../../../admin/board/table.ts';
import { duration, number, untrusted } from '../../../admin/board/text.ts';
import { capitalized, plural, words } from '../../../base/text.ts';
import { percent } from '../../../destinations/views/destination-row.ts';
import { kindOf, timedKinds } from '../../../domain/catalogue/subject.ts';
import { type LeadStep, leadSteps } from '../../../domain/lifecycle/lead-times.ts';
import { scorecard } from '../due.ts';
import type { LeadFilters, LeadRow } from './row.ts';

interface ShownLeadTimes {
  readonly share: number;
  readonly items: readonly LeadRow[];
  /** Undefined if nothing was closed. */
  readonly all: LeadRow | undefined;
  readonly days: readonly LeadRow[];
  readonly given: Omit<LeadFilters, 'since' | 'until'> & { readonly since: string };
}

const titles: Readonly<Record<Exclude<LeadStep, 'whole'>, string>> = {
  allocated: 'Created → allocated',
  picked: 'Allocated → picked',
  packed: 'Picked → packed',
  shipped: 'Packed → shipped',
};

const titleOf = (step: LeadStep, kind: LeadFilters['kind']): string =>
  step === 'whole' ? `Created → ${stageName('confirmed', kind).toLowerCase()}` : titles[step];

const spans = { '1d': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': 'a year' } as const;

const groups = { customer: 'Customer', facility: 'Facility', carrier: 'Carrier', day: 'Day (UTC)' } as const;

export function leadTimesPage({ share, items, all, days, given }: ShownLeadTimes): Page {
  const { kind, by } = given;
  const steps = kindOf(kind).hasLines ? leadSteps : (['whole'] as const);
  return {
    title: 'Lead times',
    section: 'lead',
    content: html`<div class="head"><h1>Lead times</h1><p class="muted">${all ? html`${share < 1 && 'about '}${plural(all.closed, kind)} closed in the last ${spans[given.since as keyof typeof spans] ?? given.since}${share < 1 && html`; medians of a sample of ${Math.round(share * 100)}%`}` : ''}</p></div>
${filters(given)}
${
  all
    ? html`<div class="tiles">${steps.map((step) => tile(titleOf(step, kind), step, all, days))}${onTimeTile(all, days)}</div>
${all.withDeadline > 0 && html`<p class="muted">${scorecard(all.told)}</p>`}
<section><h2 id="groups">By ${groups[by as keyof typeof groups].toLowerCase().replace('utc', 'UTC')}</h2>
${table({
  heading: 'groups',
  rows: items,
  columns: {
    [groups[by as keyof typeof groups]]: (row) => nameOf(row, given),
    Closed: { as: 'number', cell: ({ closed }) => number(closed) },
    'On time': { as: 'number', cell: onTime },
    'Late, told': { as: 'minor', cell: heard },
    ...Object.fromEntries(
      steps.map((step) => [
        titleOf(step, kind),
        {
          as: 'number',
          cell: ({ steps: { [step]: known } }: LeadRow) =>
            known && html`${duration(known.median)}<br><span class="muted">${duration(known.p90)}</span>`,
        },
      ]),
    ),
  },
})}</section>
<p class="more">Median, and below it the 90th percentile: of ten, nine took no longer. From the times of the warehouse's events. · <a href="${listAddress('/board/lead-times.csv', given)}">Download as CSV</a></p>`
    : html`<p class="empty">No ${words(kind)} was closed in this time.</p>`
}`,
  };
}

function filters(given: ShownLeadTimes['given']): Markup {
  const link = (change: Fields, name: string, isCurrent: boolean, kind = '') =>
    html`<a class="${kind}" href="${listAddress('/board/lead-times', { ...given, ...change })}"${isCurrent && html` aria-current="page"`}>${name}</a>`;
  const narrowed = (['customer', 'facility', 'carrier', 'tenant'] as const).filter((it) => given[it] !== undefined);
  const unrouted = { by: given.by === 'carrier' ? 'customer' : given.by, carrier: undefined };
  return html`<nav class="tabs" aria-label="Kind">${timedKinds.map((kind) => link({ kind, ...(!kindOf(kind).isRouted && unrouted) }, titleOfKind(kind), given.kind === kind))}</nav>
<div class="chips"><span class="muted">In the last</span>${Object.entries(spans).map(([since, name]) => link({ since }, name, since === given.since, 'chip plain'))}
<span class="muted">by</span>${Object.entries(groups).map(([by, name]) => link({ by }, name, by === given.by, 'chip plain'))}
${narrowed.map((name) => html`<a class="chip plain" href="${listAddress('/board/lead-times', { ...given, [name]: undefined })}" title="Remove this filter">${capitalized(name)}: ${untrusted(given[name] ?? '', 40)} ×</a>`)}</div>`;
}

function nameOf({ group, name }: LeadRow, given: ShownLeadTimes['given']): Markup {
  if (group === null) return html`<span class="muted">unknown</span>`;
  if (given.by === 'day') return html`${group}`;
  const fields = { ...given, by: 'day', [given.by]: group };
  return html`<span class="two"><a href="${listAddress('/board/lead-times', fields)}">${untrusted(name ?? group, 60)}</a>${name !== null && html` <span class="id">${untrusted(group, 40)}</span>`}</span>`;
}

const shareOf = ({ onTime: kept, withDeadline }: LeadRow): number | null =>
  withDeadline === 0 ? null : kept / withDeadline;

function onTime(row: LeadRow): Markup | string {
  const share = shareOf(row);
  return share === null ? html`<span class="muted">no deadline</span>` : percent(share);
}

/** Share of late ones that were told before. */
const heard = ({ told: { late, unheard } }: LeadRow): string | false =>
  late + unheard > 0 && `${number(late)} of ${number(late + unheard)}`;

function tile(title: string, step: LeadStep, all: LeadRow, days: readonly LeadRow[]): Markup {
  const known = all.steps[step];
  const line = (of: 'median' | 'p90') => ({ kind: of, values: days.map(({ steps }) => steps[step]?.[of] ?? null) });
  return html`<section class="card tile"><h2>${title}</h2>
${known ? html`<p><strong class="figure">${duration(known.median)}</strong> <span class="muted">90%: ${duration(known.p90)}</span></p>` : html`<p class="muted">No events to measure.</p>`}
${known && spark([line('p90'), line('median')], `${title} by day: median ${duration(known.median)}, 90th percentile ${duration(known.p90)}`)}</section>`;
}

function onTimeTile(all: LeadRow, days: readonly LeadRow[]): Markup {
  const share = shareOf(all);
  return html`<section class="card tile"><h2>On time</h2>
${share === null ? html`<p class="muted">None of them had a deadline.</p>` : html`<p><strong class="figure">${percent(share)}</strong> <span class="muted">${number(all.onTime)} of ${number(all.withDeadline)}</span></p>${spark([{ kind: 'median', values: days.map(shareOf) }], `Share on time by day: ${percent(share)} in all`)}`}</section>`;
}
