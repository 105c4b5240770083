import { listAddress } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { nowrap, numeric, table } from '../../../admin/board/table.ts';
import { clock, number, until, untrusted } from '../../../admin/board/text.ts';
import { type Truck, type Trucks, tasks } from './trucks.ts';

/** Words for what is missing to ship. */
const missing = { pick: 'To pick', pack: 'To pack', ship: 'To ship' } as const;

/** Shows what each truck of the next hours still waits for; nothing where no order has a deadline. */
export function trucksSection({
  trucks: { trucks, isMore },
  now,
}: {
  readonly trucks: Trucks;
  readonly now: number;
}): Markup | false {
  if (trucks.length === 0) return false;
  const most = Math.max(...trucks.map(sizeOf));
  return html`<section><h2 id="trucks">Today's trucks</h2>
${table({
  heading: 'trucks',
  columns: [
    'Carrier',
    nowrap('Leaves'),
    'Customers',
    'Still to do',
    ...tasks.map((task) => numeric(missing[task])),
    nowrap('Will miss'),
  ],
  rows: trucks.map((truck) => ({
    cells: [
      html`<a href="${listAddress('/board/subjects', { sort: 'due', due: truck.dueAt === null ? 'overdue' : undefined, carrier: truck.carrier ?? undefined })}">${truck.carrier === null ? 'Not known' : untrusted(truck.carrier, 40)}</a>`,
      leaving(truck, now),
      html`<span class="line">${customersOf(truck)}</span>`,
      load(truck, most),
      ...tasks.map((task) => (truck[task] === 0 ? html`<span class="muted">0</span>` : number(truck[task]))),
      misses(truck),
    ],
  })),
})}
${isMore && html`<p class="more"><a href="/board/subjects?due=soon">All that are due within 24 hours</a></p>`}
</section>`;
}

const sizeOf = ({ pick, pack, ship }: Truck): number => pick + pack + ship;

const leaving = ({ dueAt }: Truck, now: number): Markup =>
  dueAt === null
    ? html`<span class="badge bad">overdue</span>`
    : html`${clock(dueAt)} <span class="muted">in ${until(dueAt, now)}</span>`;

/** Customers that are named. */
const NAMED = 3;

const customersOf = ({ customers }: Truck): Markup =>
  html`${customers.slice(0, NAMED).map(({ name, count }, index) => html`${index > 0 && ', '}${untrusted(name, 30)} <span class="muted">${number(count)}</span>`)}${customers.length > NAMED && ` and ${customers.length - NAMED} more`}`;

/** Draws what is missing as a bar, whose length is its share of the largest one. */
function load(truck: Truck, most: number): Markup {
  let x = 0;
  const parts = tasks.map((task) => {
    const width = (100 * truck[task]) / most;
    x += width;
    return width > 0 && html`<rect class="${task}" x="${x - width}" width="${width}" height="8"/>`;
  });
  return html`<svg class="load" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function misses({ misses: count }: Truck): Markup | string {
  if (count === null) return html`<span class="muted" title="Nothing was shipped lately">unknown</span>`;
  return count === 0
    ? html`<span class="badge good">none</span>`
    : html`<span class="badge bad">${number(count)}</span>`;
}
