import { listAddress } from '../../board/addresses.ts';
import { chart, highest } from '../../board/chart.ts';
import { html, type Markup } from '../../board/html.ts';
import { numeric, table } from '../../board/table.ts';
import { foreign, number } from '../../board/text.ts';
import { type DueGroup, type DueOrders, HOURS, tasks } from './due.ts';

/** Shows what is to be shipped in the next hours, and what is missing for that; nothing where no order has a deadline. */
export function dueSection(due: DueOrders): Markup | false {
  const { overdue, atRisk, later, shipped } = due;
  if (overdue + atRisk + later + shipped.count === 0) return false;
  const open = overdue + atRisk + later > 0;
  return html`<section><h2 id="due">To be shipped in the next ${HOURS} hours</h2>
${figures(due)}
${open && hours(due)}
${open && groupTable(due)}
</section>`;
}

const figures = ({ overdue, atRisk, later, isMore, shipped }: DueOrders): Markup => html`<ul class="vitals">
${figure(overdue, 'overdue', listAddress('/board/subjects', { due: 'overdue' }), overdue > 0)}
${figure(atRisk, 'at risk', listAddress('/board/subjects', { due: 'atRisk' }), atRisk > 0)}
${figure(later, 'due later', listAddress('/board/subjects', { due: 'soon' }), false, isMore ? 'and more' : undefined)}
${figure(shipped.count, `shipped in the last ${HOURS} hours`, listAddress('/board/subjects', { stage: 'confirmed' }), false, shipped.late > 0 ? `${number(shipped.late)} of them late` : undefined)}
</ul>`;

const figure = (count: number, name: string, link: string, isBad: boolean, more?: string): Markup => html`
<li class="vital${isBad && ' bad'}"><span class="figure">${number(count)}</span> <a href="${link}">${name}</a>
${more !== undefined && html`<span class="muted">${more}</span>`}</li>`;

/** Words for what is missing to ship. */
const missing = { pick: 'to pick', pack: 'to pack', ship: 'to ship' } as const;

function hours({ hours: slices }: DueOrders): Markup {
  const bars = slices.map(({ at, ...counts }) => ({
    title: `due within the hour after ${new Date(at).toISOString().slice(11, 16)} UTC: ${tasks.map((task) => `${number(counts[task])} ${missing[task]}`).join(', ')}`,
    parts: tasks.map((task) => ({ kind: task, count: counts[task] })),
  }));
  const most = highest(bars);
  const sumOf = (task: (typeof tasks)[number]) => number(slices.reduce((sum, it) => sum + it[task], 0));
  const totals = tasks.map((task) => `${sumOf(task)} ${missing[task]}`);
  return html`${chart(bars, `Orders by the hour in which they are due; at most ${most}. In all ${totals.join(', ')}.`)}
<p class="axis muted"><span>due now</span> <span>at most ${number(most)} in an hour</span> <span>in ${HOURS} hours</span></p>
<p class="legend">${tasks.map((task, index) => html`<span class="key ${task}">${totals[index]}</span> `)}</p>`;
}

const groupTable = ({ groups }: DueOrders): Markup =>
  table({
    heading: 'due',
    columns: [
      'Customer',
      'Carrier',
      ...['Overdue', 'At risk', 'Due later', 'To pick', 'To pack', 'To ship'].map(numeric),
    ],
    rows: groups.map((group) => ({
      cells: [
        customerOf(group),
        group.carrier === null ? 'not known' : foreign(group.carrier, 40),
        ...[group.overdue, group.atRisk, group.later, group.pick, group.pack, group.ship].map((count) =>
          count === 0 ? html`<span class="muted">0</span>` : number(count),
        ),
      ],
    })),
  });

const customerOf = ({ customerId, customerName }: DueGroup): Markup | string =>
  customerId === null
    ? 'not known'
    : html`<a href="${listAddress('/board/subjects', { sort: 'due', kind: 'order', customer: customerId })}">${foreign(customerName ?? customerId, 60)}</a>`;
