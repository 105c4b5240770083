import { z } from 'zod';
import { listAddress, titleOf as titleOfKind } from '../../admin/board/addresses.ts';
import { spark } from '../../admin/board/chart.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import type { Fields } from '../../admin/board/list-forms.ts';
import { livePage } from '../../admin/board/responder.ts';
import { stageName } from '../../admin/board/stage.ts';
import { table } from '../../admin/board/table.ts';
import { duration, number, untrusted } from '../../admin/board/text.ts';
import type { Asked } from '../../admin/call.ts';
import { moment, names } from '../../admin/queries.ts';
import { instant, listOf, type Sources, type View } from '../../admin/views/view.ts';
import { capitalized, plural, words } from '../../base/text.ts';
import { percent } from '../../destinations/views/destination-row.ts';
import { kindOf, timedKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import {
  type LeadGroup,
  type LeadStep,
  leadGroup,
  leadGroupings,
  leadSteps,
} from '../../domain/lifecycle/lead-times.ts';
import { groupClosed, nameOf, readClosed } from '../tables/lead-times.ts';
import { scorecard } from './reasons.ts';

const row = leadGroup.extend({
  name: z.string().nullable().describe('Name of the customer or facility, if it is known.'),
});

type LeadRow = z.output<typeof row>;

const answer = z.object({
  since: instant,
  until: instant,
  share: z.number().describe('Share that was read: below 1, the counts are estimates, and medians those of a sample.'),
  items: listOf(row),
});

const SPAN = '30d';

const query = z.strictObject({
  kind: z.enum(timedKinds).default(mainKind).describe('only this kind of subject'),
  since: moment.prefault(SPAN).describe('Closed since then; default 30 days.'),
  until: moment
    .optional()
    .transform((at) => at ?? Date.now())
    .describe('Closed before then; default now.'),
  customer: names.customer.describe('only this customer, by its id').exactOptional(),
  facility: names.facility.exactOptional(),
  carrier: names.carrier.describe('only what went by this carrier').exactOptional(),
  tenant: names.tenant.exactOptional(),
  by: z.enum(leadGroupings).default('all').describe('How to group them; the hundred largest groups are shown.'),
});

type LeadQuery = z.output<typeof query>;

/** Of the page, whose fields may be empty. */
const form = z.object({
  ...query.shape,
  kind: query.shape.kind.catch(mainKind),
  by: z.enum(leadGroupings).exclude(['all']).catch('customer'),
});

const readForm = ({ query: given }: Asked) =>
  form.parse(Object.fromEntries(Object.entries(given).filter(([, value]) => String(value).trim() !== '')));

async function read({ reads }: Pick<Sources, 'reads'>, asked: LeadQuery, closed = readClosed(reads, asked)) {
  const { since, until, by } = asked;
  const groups = groupClosed(await closed, by).map(async ({ example, ...it }) => ({
    ...it,
    name: await nameOf(reads, asked, { ...it, example }),
  }));
  return {
    ...{ since: new Date(since), until: new Date(until), share: (await closed).share },
    items: await Promise.all(groups),
  };
}

const titleOf = (step: LeadStep, kind: LeadQuery['kind']): string =>
  step === 'whole'
    ? `Created → ${stageName('confirmed', kind).toLowerCase()}`
    : `${capitalized(leadSteps[leadSteps.indexOf(step) - 1] ?? 'created')} → ${step}`;

const spans = { '1d': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days', '365d': 'a year' } as const;

const groupings = { customer: 'Customer', facility: 'Facility', carrier: 'Carrier', day: 'Day (UTC)' } as const;

async function readShown(sources: Sources, asked: Asked) {
  const given = readForm(asked);
  const closed = readClosed(sources.reads, given);
  const { share, items } = await read(sources, given, closed);
  const [all] = groupClosed(await closed, 'all');
  const { since = SPAN } = asked.query as { readonly since?: string };
  return { share, items, all, days: groupClosed(await closed, 'day'), given: { ...given, since, until: undefined } };
}

type ShownLeadTimes = Awaited<ReturnType<typeof readShown>>;

function leadTimesPage({ share, items, all, days, given }: ShownLeadTimes): Page {
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
${all.withDeadline > 0 && html`<p class="muted">${scorecard(all.notified)}</p>`}
<section><h2 id="groups">By ${groupings[by].toLowerCase().replace('utc', 'UTC')}</h2>
${table({
  heading: 'groups',
  rows: items,
  columns: {
    [groupings[by]]: (row) => groupName(row, given),
    Closed: { as: 'number', cell: ({ closed }) => number(closed) },
    'On time': { as: 'number', cell: onTime },
    Warned: { as: 'number', cell: heard },
    ...Object.fromEntries(
      steps.map((step) => [
        titleOf(step, kind),
        {
          as: 'number',
          cell: ({ steps: { [step]: known } }: LeadRow) =>
            known && html`${duration(known.medianMs)}<br><span class="muted">${duration(known.p90Ms)}</span>`,
        },
      ]),
    ),
  },
})}</section>
<p class="more">Median, and below it the 90th percentile: of ten, nine took no longer. From the times of the warehouse's events.</p>`
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
<span class="muted">by</span>${Object.entries(groupings).map(([by, name]) => link({ by }, name, by === given.by, 'chip plain'))}
${narrowed.map((name) => html`<a class="chip plain" href="${listAddress('/board/lead-times', { ...given, [name]: undefined })}" title="Remove this filter">${capitalized(name)}: ${untrusted(given[name] ?? '', 40)} ×</a>`)}</div>`;
}

function groupName({ group, name }: LeadRow, given: ShownLeadTimes['given']): Markup {
  if (group === null) return html`<span class="muted">unknown</span>`;
  if (given.by === 'day') return html`${group}`;
  const fields = { ...given, by: 'day', [given.by]: group };
  return html`<span class="two"><a href="${listAddress('/board/lead-times', fields)}">${untrusted(name ?? group, 60)}</a>${name !== null && html` <span class="id">${untrusted(group, 40)}</span>`}</span>`;
}

const shareOf = ({ onTime: kept, withDeadline }: LeadGroup): number | null =>
  withDeadline === 0 ? null : kept / withDeadline;

function onTime(row: LeadGroup): Markup | string {
  const share = shareOf(row);
  return share === null ? html`<span class="muted">no deadline</span>` : percent(share);
}

const heard = ({ notified: { late, unheard } }: LeadGroup): string | false =>
  late + unheard > 0 && `${number(late)} of ${number(late + unheard)}`;

function tile(title: string, step: LeadStep, all: LeadGroup, days: readonly LeadGroup[]): Markup {
  const known = all.steps[step];
  const line = (kind: 'median' | 'p90') => ({
    kind,
    values: days.map(({ steps }) => steps[step]?.[`${kind}Ms`] ?? null),
  });
  return html`<section class="card tile"><h2>${title}</h2>
${known ? html`<p><strong class="figure">${duration(known.medianMs)}</strong> <span class="muted">90%: ${duration(known.p90Ms)}</span></p>` : html`<p class="muted">No events to measure.</p>`}
${known && spark([line('p90'), line('median')], `${title} by day: median ${duration(known.medianMs)}, 90th percentile ${duration(known.p90Ms)}`)}</section>`;
}

function onTimeTile(all: LeadGroup, days: readonly LeadGroup[]): Markup {
  const share = shareOf(all);
  return html`<section class="card tile"><h2>On time</h2>
${share === null ? html`<p class="muted">None of them had a deadline.</p>` : html`<p><strong class="figure">${percent(share)}</strong> <span class="muted">${number(all.onTime)} of ${number(all.withDeadline)}</span></p>${spark([{ kind: 'median', values: days.map(shareOf) }], `Share on time by day: ${percent(share)} in all`)}`}</section>`;
}

export const leadTimesView: View = {
  call: {
    method: 'GET',
    path: '/lead-times',
    id: 'getLeadTimes',
    summary: 'Shows how long orders and receipts took for each step, and how many were on time',
    tag: 'Orders',
    description:
      'For reports on service levels: the median and the 90th percentile of each step for what was closed in a period, and how many met their deadline. Above some thousand records it reads a sample and says so in `share`.',
    role: 'read',
    query,
    answers: { 200: 'LeadTimes' },
    schemas: { LeadTimes: answer },
    answer: (sources, asked) => read(sources, query.parse(asked.query)),
  },
  pages: [
    {
      path: '/lead-times',
      role: 'read',
      open: (sources) => async (asked) => livePage(leadTimesPage, await readShown(sources, asked)),
    },
  ],
};
