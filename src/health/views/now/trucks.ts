import { type Kysely, sql } from 'kysely';
import { listAddress } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { table } from '../../../admin/board/table.ts';
import { age, clockIn, number, untrusted } from '../../../admin/board/text.ts';
import { DAY_MS } from '../../../base/moment.ts';
import type { Outlook } from '../../../domain/deadlines/deadline.ts';
import { nextStep, type Step } from '../../../domain/deadlines/forecast.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import type { LeadGroup } from '../../../domain/lifecycle/lead-times.ts';
import type { Stage } from '../../../domain/lifecycle/stage.ts';
import { COUNTED } from '../../../store/bounded-count.ts';
import type { Database } from '../../../store/schema.ts';
import { customerName } from '../../../store/subjects.ts';
import { isDueAndOpen, outlookAt } from '../../../subjects/tables/deadlines.ts';
import { scorecard } from '../../../subjects/views/reasons.ts';

/** Before it is shipped, whether its stock is there or not. */
const tasks = ['pick', 'pack', 'ship'] as const satisfies readonly Step[];

type Task = (typeof tasks)[number];

type Endangered = Extract<Outlook, 'willMiss' | 'atRisk'>;

/** Orders that a carrier takes at a time, by what they lack, and how many may not be ready. */
interface Truck extends Readonly<Record<Task | Endangered, number>> {
  readonly carrier: string | null;
  /** Null for overdue orders, whatever truck they have missed. */
  readonly dueAt: number | null;
  /** IANA name of the facility's; null if unknown. */
  readonly zone: string | null;
  readonly customers: readonly { readonly name: string; readonly count: number }[];
}

const SHOWN = 12;

interface Row extends Pick<Truck, 'dueAt' | 'carrier' | 'zone'> {
  readonly stage: Stage;
  readonly outlook: Outlook;
  readonly customer: string | null;
  readonly count: number;
}

/** The earliest where there are very many. */
export async function readTrucks(db: Kysely<Database>, now: number) {
  const { rows } = await sql<Row>`
    select "dueAt", zone, stage, carrier, outlook, customer, count(*) as count
    from (
      select case when due_at > ${now} then due_at end as "dueAt", case when due_at > ${now} then due_zone end as zone,
        stage, carrier, ${outlookAt(now)} as outlook, coalesce(${customerName(db)}, customer_id) as customer
      from ${sql.table('subjects')}
      where ${isDueAndOpen} and kind = ${sql.lit(mainKind)} and due_at < ${now + DAY_MS}
      order by due_at limit ${COUNTED + 1}) as due
    group by "dueAt", zone, stage, carrier, outlook, customer order by coalesce("dueAt", 0), carrier`.execute(db);
  const groups = Map.groupBy(rows, ({ dueAt, carrier, zone }) => JSON.stringify([dueAt, carrier, zone]));
  return {
    trucks: [...groups.values()].slice(0, SHOWN).map(loadOf),
    isMore: groups.size > SHOWN || countOf(rows) > COUNTED,
  };
}

const countOf = (rows: readonly Row[]): number => rows.reduce((all, { count }) => all + Number(count), 0);

function loadOf(group: readonly Row[]): Truck {
  const [{ dueAt, carrier, zone }] = group as [Row];
  const waiting = (...before: readonly Step[]) =>
    countOf(group.filter(({ stage }) => before.includes(nextStep(stage))));
  const standing = (as: Outlook) => countOf(group.filter(({ outlook }) => outlook === as));
  const customers = [...Map.groupBy(group, ({ customer }) => customer ?? 'not known')];
  return {
    ...{ carrier, dueAt, zone, willMiss: standing('willMiss'), atRisk: standing('atRisk') },
    ...{ pick: waiting('allocate', 'pick'), pack: waiting('pack'), ship: waiting('ship') },
    customers: customers.map(([name, of]) => ({ name, count: countOf(of) })).sort((a, b) => b.count - a.count),
  };
}

interface Shown {
  readonly trucks: Awaited<ReturnType<typeof readTrucks>>;
  readonly notified: LeadGroup['notified'] | undefined;
  readonly now: number;
}

/** Nothing where no order has a deadline. */
export function trucksSection({ trucks: { trucks, isMore }, notified, now }: Shown): Markup | false {
  if (trucks.length === 0) return false;
  const most = Math.max(...trucks.map(sizeOf));
  const zones = new Set(trucks.flatMap(({ zone }) => zone ?? []));
  return html`<section><div class="head"><h2 id="trucks">Today's trucks <span class="count">${trucks.length}${isMore && '+'}</span></h2>
${zones.size === 1 && html`<p class="muted">Times of ${[...zones]}.</p>`}</div>
${table({
  heading: 'trucks',
  rows: trucks,
  columns: {
    Carrier: (truck) =>
      html`<a href="${ordersOf(truck)}">${truck.carrier === null ? 'Not known' : untrusted(truck.carrier, 40)}</a>`,
    Leaves: {
      as: 'nowrap',
      cell: ({ dueAt, zone }) =>
        dueAt === null
          ? html`<span class="badge bad">overdue</span>`
          : html`${clockIn(dueAt, zone, now, zones.size !== 1)} <span class="muted">in ${age(dueAt, now)}</span>`,
    },
    Customers: { as: 'minor', cell: customersOf },
    'Still to do': (truck) => load(truck, most),
    'To pick': leftTo('pick'),
    'To pack': leftTo('pack'),
    'To ship': leftTo('ship'),
    'Will miss': { as: 'nowrap', cell: misses },
  },
})}
${isMore && html`<p class="more"><a href="/board/subjects?due=soon">All that are due within 24 hours</a></p>`}
${notified && html`<p class="muted" id="scorecard">Last week: ${scorecard(notified)} <a href="/board/lead-times?since=7d">By customer and facility</a></p>`}
</section>`;
}

const leftTo = (task: Task) => ({
  as: 'number' as const,
  cell: (truck: Truck) => (truck[task] === 0 ? html`<span class="muted">0</span>` : number(truck[task])),
});

const sizeOf = ({ pick, pack, ship }: Truck): number => pick + pack + ship;

const NAMED = 3;

const customersOf = ({ customers }: Truck): Markup =>
  html`${customers.slice(0, NAMED).map(({ name, count }, index) => html`${index > 0 && ', '}${untrusted(name, 30)} <span class="muted">${number(count)}</span>`)}${customers.length > NAMED && ` and ${customers.length - NAMED} more`}`;

/** A bar, relative to the largest one. */
function load(truck: Truck, most: number): Markup {
  let x = 0;
  const parts = tasks.map((task) => {
    const width = (100 * truck[task]) / most;
    x += width;
    return width > 0 && html`<rect class="${task}" x="${x - width}" width="${width}" height="8"/>`;
  });
  return html`<svg class="load" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function misses(truck: Truck): Markup {
  const { willMiss, atRisk, dueAt } = truck;
  const link = (kind: 'bad' | 'soon', text: string, due?: Endangered) =>
    html`<a class="badge ${kind}" href="${ordersOf(truck, due)}">${text}</a> `;
  if (dueAt === null) return link('bad', number(sizeOf(truck)));
  if (willMiss + atRisk === 0) return html`<span class="badge good">none</span>`;
  return html`${willMiss > 0 && link('bad', number(willMiss), 'willMiss')}${atRisk > 0 && link('soon', `${number(atRisk)} at risk`, 'atRisk')}`;
}

const ordersOf = ({ carrier, dueAt }: Truck, due?: Endangered): string =>
  listAddress('/board/subjects', {
    ...(dueAt === null ? { due: 'overdue' } : { due, dueAt: new Date(dueAt).toISOString() }),
    carrier: carrier ?? undefined,
  });
