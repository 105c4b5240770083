import type { Kysely } from 'kysely';
import {
  forecast,
  inTurn,
  isNotified,
  learn,
  type ShippedOrder,
  standingAt,
} from '../../src/domain/deadlines/forecast.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import type { Database } from '../../src/store/schema.ts';
import type { EventName } from '../simulator/kinds/kinds.ts';
import { createStream } from '../simulator/random.ts';
import { carrierNames } from '../simulator/state/carriers.ts';
import { course } from './history.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAYS = 28;
const EVERY_MS = 12 * MINUTE_MS;

/** Orders of the last days are forecast by those before them. */
const FORECAST_DAYS = 8;

/** Between two looks at the orders that are open. */
const LOOK_MS = 5 * MINUTE_MS;

/** Samples, as the table of lead times has them. */
const SAMPLES = 64;

/**
 * Stores how long orders took in the weeks before, at every hour and as on the day that is played, and which were forecast to be late, so that
 * forecasts have something to compare with.
 */
export async function rememberWeeks(db: Kysely<Database>, day: readonly string[]): Promise<void> {
  const known = await db
    .selectFrom('subjects')
    .select(['tenant', 'facility_id as facility', 'customer_id as customer'])
    .where('subject_id', 'in', day)
    .execute();
  const stream = createStream(2, 'the weeks before');
  const until = Date.now() - DAY_MS;
  const orders = Array.from({ length: (DAYS * DAY_MS) / EVERY_MS }, (_, n) => {
    const minutes = (least: number, most: number) => stream.between(least, most) * MINUTE_MS;
    const shippedAt = until - n * EVERY_MS;
    const took = (last: EventName, first = last) => minutes(...minutesBetween(first, last));
    const ship = shippedAt - took('OrderConfirm');
    const pack = ship - took('OrderPackComplete', 'OrderPackStarted');
    const pick = pack - took('OrderPickJobDone');
    const allocate = pick - took('OrderFullyAllocated');
    const { tenant = '', facility = null, customer = null } = known[n % known.length] ?? {};
    const carrier = carrierNames[n % carrierNames.length] ?? null;
    const waited = { allocate, pick, pack, ship };
    return { n, tenant, facility, customer, carrier, shippedAt, dueAt: allocate + minutes(40, 300), waited };
  });
  const notified = forecastPast(orders, until);
  const rows = orders.map((order) => ({
    ...{ tenant: order.tenant, kind: mainKind, subject_id: `past-${order.n}`, sample: order.n % SAMPLES },
    ...{ customer_id: order.customer, facility_id: order.facility, carrier: order.carrier, closed_at: order.shippedAt },
    ...{ due_at: order.dueAt, notified_at: notified.get(order.n) ?? null },
    waited: JSON.stringify(order.waited),
  }));
  for (let from = 0; from < rows.length; from += 500)
    await db
      .insertInto('lead_times')
      .values(rows.slice(from, from + 500))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Least and greatest number of minutes that these events of the course take together, both included. */
function minutesBetween(first: EventName, last: EventName): readonly [least: number, most: number] {
  const names = course.map(([name]) => name);
  const steps = course.slice(names.indexOf(first), names.indexOf(last) + 1);
  return [steps.reduce((sum, [, least]) => sum + least, 0), steps.reduce((sum, [, , most]) => sum + most, 0)];
}

interface Past extends ShippedOrder {
  readonly n: number;
  readonly dueAt: number;
  readonly waited: ShippedOrder['waited'] & { readonly allocate: number };
}

/** When each order was forecast to be late, as if Dockline had been there. */
function forecastPast(orders: readonly Past[], until: number): ReadonlyMap<number, number> {
  const notified = new Map<number, number>();
  for (let day = until - FORECAST_DAYS * DAY_MS; day < until; day += DAY_MS) {
    const before = orders.filter(({ shippedAt }) => shippedAt <= day);
    const experience = learn(before, day);
    for (let at = day; at < day + DAY_MS; at += LOOK_MS) {
      const open = orders.filter(({ waited, shippedAt }) => waited.allocate <= at && shippedAt > at);
      for (const turns of inTurn(open.map((it) => ({ ...it, ...standingAt(it, at) }))))
        for (const [ahead, order] of turns.entries()) {
          if ((order.dueAt ?? at) <= at || notified.has(order.n)) continue;
          const { changes = 0 } = forecast(experience, order, { ahead, at, changes: 0 }) ?? {};
          if (isNotified(changes)) notified.set(order.n, at);
        }
    }
  }
  return notified;
}
