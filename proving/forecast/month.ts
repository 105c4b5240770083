import { createStream } from '../../sandbox/simulator/random.ts';
import type { ShippedOrder } from '../../src/domain/deadlines/forecast.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A Monday. */
export const START = Date.UTC(2026, 8, 7);

/** Clock times of the warehouse in hours; its zone is UTC. */
const OPENS = 7;
const CLOSES = 19;
const CUT_OFF = 13;
const trucks = { UPS: 15, FedEx: 17, USPS: 18 } as const;

export type Weather = 'usual' | 'promotion' | 'slow picker' | 'bad day';

export interface Month {
  readonly orders: readonly (ShippedOrder & { readonly id: number; readonly lines: number })[];
  readonly weather: (day: number) => Weather;
}

type Stream = ReturnType<typeof createStream>;

interface Job {
  readonly id: number;
  readonly created: number;
  readonly dueAt: number;
  readonly carrier: keyof typeof trucks;
  readonly customer: string;
  readonly lines: number;
  readonly waited: { allocate: number; pick?: number; pack?: number; ship?: number };
  shippedAt?: number;
}

/**
 * Simulates a warehouse that picks, packs and loads: orders by hour, weekday, season and promotions; people who differ, who mostly take what is
 * due first; stock that is missing now and then; a picker who is slow for a week, and a day on which half of them are absent and the line stands
 * for two hours.
 */
export function simulateMonth({ days, seed, perDay = 320 }: { days: number; seed: number; perDay?: number }): Month {
  const stream = createStream(seed, 'month');
  const weather = weatherOf(stream, days);
  const jobs = arrivals(stream, { days, perDay, weather });
  const pickers = Array.from({ length: 8 }, (_, n) => ({ speed: 0.8 + stream.between(0, 40) / 100, isSlow: n === 0 }));
  const packers = Array.from({ length: 6 }, () => ({ speed: 0.85 + stream.between(0, 30) / 100, isSlow: false }));
  for (const job of jobs) {
    const lacksStock = stream.chance(0.02);
    job.waited.pick = job.created + (lacksStock ? stream.between(120, 1500) : stream.between(1, 12)) * MINUTE_MS;
  }
  const isOff = (at: number, person: number, isPicker: boolean) => {
    const day = Math.floor((at - START) / DAY_MS);
    const hour = (at % DAY_MS) / HOUR_MS;
    const isBad = weather(day) === 'bad day';
    if (isBad && isPicker && person >= 4) return true;
    return isBad && !isPicker && hour >= 11 && hour < 13;
  };
  work(stream, jobs, 'pick', pickers, {
    minutes: (job, speed, at, isSlow) => {
      const day = Math.floor((at - START) / DAY_MS);
      const factor = weather(day) === 'slow picker' && isSlow ? 3 : 1;
      return (factor * (3.2 + 1.5 * job.lines) * noise(stream, 0.35)) / speed;
    },
    isOff: (at, person) => isOff(at, person, true),
    next: 'pack',
  });
  work(stream, jobs, 'pack', packers, {
    minutes: (job, speed) => ((2.2 + 0.9 * job.lines) * (job.customer === 'c7' ? 2 : 1) * noise(stream, 0.3)) / speed,
    isOff: (at, person) => isOff(at, person, false),
    next: 'ship',
  });
  for (const job of jobs) job.shippedAt = openTime((job.waited.ship ?? 0) + (4 + 16 * noise(stream, 0.5)) * MINUTE_MS);
  const orders = jobs.map(({ id, created: _, waited, shippedAt = 0, ...job }) => ({
    ...{ id, tenant: '9104', facility: '3', ...job, waited, shippedAt },
  }));
  return { orders, weather };
}

function weatherOf(stream: Stream, days: number): Month['weather'] {
  const bad = new Set([days - 20, days - 6].filter((day) => day % 7 < 5));
  const promotions = new Set(Array.from({ length: Math.ceil(days / 9) }, () => stream.between(0, days - 1)));
  return (day) => {
    if (bad.has(day)) return 'bad day';
    if (promotions.has(day)) return 'promotion';
    return day >= days - 15 && day < days - 8 ? 'slow picker' : 'usual';
  };
}

const byWeekday = [1.35, 1.05, 0.95, 0.95, 1.1, 0.35, 0.3];
const byHour = [1, 1, 1, 1, 1, 2, 3, 5, 7, 8, 9, 9, 8, 7, 6, 5, 5, 4, 4, 4, 4, 3, 2, 1];

function arrivals(
  stream: Stream,
  { days, perDay, weather }: { days: number; perDay: number; weather: Month['weather'] },
): Job[] {
  const weights = byHour.reduce((sum, it) => sum + it, 0);
  const jobs: Job[] = [];
  for (let day = 0; day < days; day += 1) {
    const season = 0.85 + (0.4 * day) / days;
    const busy = weather(day) === 'promotion' ? 1.5 : 1;
    for (const [hour, weight] of byHour.entries()) {
      const mean = (perDay * season * busy * (byWeekday[day % 7] ?? 1) * weight) / weights;
      const count = Math.max(0, Math.round(mean + (stream.between(-100, 100) / 100) * Math.sqrt(3 * mean)));
      for (let n = 0; n < count; n += 1) {
        const created = START + day * DAY_MS + hour * HOUR_MS + stream.between(0, 3599) * 1000;
        const carrier = stream.pick<Job['carrier']>(['UPS', 'UPS', 'FedEx', 'USPS']);
        jobs.push({
          ...{ id: 0, created, carrier, customer: `c${stream.between(0, 9)}`, waited: { allocate: created } },
          lines: 1 + Math.floor(-Math.log(stream.between(1, 1000) / 1000) * 1.6),
          dueAt: dueOf(created, carrier),
        });
      }
    }
  }
  return jobs.sort((a, b) => a.created - b.created).map((job, id) => ({ ...job, id }));
}

const isWorked = (day: number): boolean => day % 7 < 5;

/** Same day before the cut-off, else the next working day. */
function dueOf(created: number, carrier: Job['carrier']): number {
  let day = Math.floor((created - START) / DAY_MS);
  const hour = ((created - START) % DAY_MS) / HOUR_MS;
  if (!isWorked(day) || hour >= CUT_OFF) day += 1;
  while (!isWorked(day)) day += 1;
  return START + day * DAY_MS + trucks[carrier] * HOUR_MS;
}

/** The time itself, or when the warehouse opens next. */
function openTime(at: number): number {
  const day = Math.floor((at - START) / DAY_MS);
  const hour = ((at - START) % DAY_MS) / HOUR_MS;
  if (isWorked(day) && hour >= OPENS && hour < CLOSES) return at;
  let next = isWorked(day) && hour < OPENS ? day : day + 1;
  while (!isWorked(next)) next += 1;
  return START + next * DAY_MS + OPENS * HOUR_MS;
}

/** About lognormal around 1. */
function noise(stream: Stream, deviation: number): number {
  const normal =
    Array.from({ length: 6 }, () => stream.between(-1000, 1000) / 1000).reduce((a, b) => a + b) / Math.SQRT2;
  return Math.exp(deviation * normal);
}

interface Task {
  readonly minutes: (job: Job, speed: number, at: number, isSlow: boolean) => number;
  readonly isOff: (at: number, person: number) => boolean;
  readonly next: 'pack' | 'ship';
}

/** Lets people work off a queue: what is due first, but now and then whatever lies on top. */
function work(
  stream: Stream,
  jobs: readonly Job[],
  step: 'pick' | 'pack',
  people: readonly { readonly speed: number; readonly isSlow: boolean }[],
  { minutes, isOff, next }: Task,
): void {
  const coming = jobs.toSorted((a, b) => (a.waited[step] ?? 0) - (b.waited[step] ?? 0));
  const free = people.map((person, n) => ({ ...person, n, at: START }));
  let queue: Job[] = [];
  let taken = 0;
  while (taken < coming.length || queue.length > 0) {
    free.sort((a, b) => a.at - b.at);
    const person = free[0] as (typeof free)[number];
    const at = openTime(person.at);
    if (at > person.at || isOff(at, person.n)) {
      person.at = at > person.at ? at : at + 10 * MINUTE_MS;
      continue;
    }
    while (taken < coming.length && (coming[taken]?.waited[step] ?? 0) <= at) queue.push(coming[taken++] as Job);
    if (queue.length === 0) {
      person.at = Math.max(at + 1, coming[taken]?.waited[step] ?? at + 1);
      continue;
    }
    const job = stream.chance(0.15)
      ? (queue[stream.between(0, queue.length - 1)] as Job)
      : queue.reduce((a, b) => (b.dueAt < a.dueAt ? b : a));
    queue = queue.filter((it) => it !== job);
    person.at = at + minutes(job, person.speed, at, person.isSlow) * MINUTE_MS;
    job.waited[next] = person.at;
  }
}
