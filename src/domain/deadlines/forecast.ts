import { HOUR_MS } from '../../base/moment.ts';
import { plural } from '../../base/text.ts';
import { mainKind } from '../kinds/kinds.ts';
import type { Stage } from '../lifecycle/stage.ts';
import { countUpTo, type WorkClock, workClock } from './calendar.ts';

/** Left to ship an order. */
export const steps = ['allocate', 'pick', 'pack', 'ship'] as const;

export type Step = (typeof steps)[number];

const stepOf: { readonly [S in Stage]?: Step } = {
  fullyAllocated: 'pick',
  picked: 'pack',
  packing: 'pack',
  packed: 'ship',
};

export const nextStep = (stage: Stage): Step => stepOf[stage] ?? 'allocate';

interface Order {
  readonly tenant: string;
  readonly facility: string | null;
  readonly carrier: string | null;
  readonly dueAt: number | null;
}

export interface OpenOrder extends Order {
  /** With the time from which it waits for it. */
  readonly step: Step;
  readonly since: number;
}

export interface ShippedOrder extends Order {
  /** Since when it waited for each step; absent where no event told. */
  readonly waited: { readonly [S in Step]?: number };
  readonly shippedAt: number;
}

export interface Forecast {
  /** Median; one in ten comparable orders was shipped sooner, and one in ten later. */
  readonly expectedAt: number;
  readonly earliest: number;
  readonly latest: number;
  readonly step: Step;
  /** In its facility: further along, or before it in its step. */
  readonly ahead: number;
  readonly comparable: number;
  readonly usualMs: number;
  /** Factor of the last hours. */
  readonly slowdown: number;
  /** Times that somebody was notified that it will miss its deadline, or that was taken back. */
  readonly changes: number;
}

type Reasons = Pick<Forecast, 'step' | 'ahead' | 'comparable' | 'usualMs' | 'slowdown'>;

const waitsFor = { allocate: 'stock', pick: 'picking', pack: 'packing', ship: 'shipping' } as const;

/** `waits for packing with 31 orders ahead`. */
export const sayQueue = ({ step, ahead }: Pick<Forecast, 'step' | 'ahead'>): string =>
  `waits for ${waitsFor[step]} with ${plural(ahead, mainKind)} ahead`;

/** `it waits for packing with 31 orders ahead; 64 orders like it shipped 1 h 5 min later, and today takes 1.4 times as long`. */
export function sayWhy({ comparable, usualMs, slowdown, ...queue }: Reasons): string {
  const minutes = Math.max(1, Math.round(usualMs / 60_000));
  const hours = Math.floor(minutes / 60);
  const later = hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
  const today = Math.abs(slowdown - 1) < 0.1 ? '' : `, and today takes ${slowdown.toFixed(1)} times as long`;
  return `it ${sayQueue(queue)}; ${plural(comparable, mainKind)} like it shipped ${later} later${today}`;
}

/** Shares of comparable orders that miss it: somebody is notified from the first on, it is taken back below the second, and from the third on it stays. */
const BARS = [0.6, 0.3, 0.8];

/** In busy hours before the deadline. Earlier, nearly all have to miss it, since most make it after all. */
const NEAR = 3;
const FAR_BAR = 0.95;

export const isNotified = (changes: number): boolean => changes % 2 === 1;

/** Fewer comparable orders say nothing. */
const LEAST_COMPARABLE = 30;

/** A week is known from two. */
const LEAST_PAST_MS = 14 * 24 * HOUR_MS;

/** Between two looks at the past; orders shipped within it say how today is going. */
const LOOK_MS = HOUR_MS;
const TODAY_MS = 3 * HOUR_MS;

/** Looks of today that weigh as much as all from before. */
const WEIGHT_OF_BEFORE = 10;

/** Added to the orders ahead. */
const OWN = 10;

/** Per order ahead; less is too little to compare. */
const LITTLE = 0.001;

/** Orders that stood alike, with the work until each was shipped, by the orders ahead; sorted. */
interface Group {
  readonly orders: Set<ShippedOrder>;
  readonly work: number[];
}

const quantile = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;

interface Practice {
  readonly clock: WorkClock;
  readonly carriers: ReadonlyMap<string | null, number>;
  readonly groups: ReadonlyMap<number, Group>;
  readonly slowdown: number;
}

/** By facility; absent where too little is known. */
export type Experience = ReadonlyMap<string, Practice>;

const facilityOf = ({ tenant, facility }: Pick<Order, 'tenant' | 'facility'>): string => `${tenant}/${facility}`;

const leftOf = ({ dueAt }: OpenOrder, at: number, clock: WorkClock): number =>
  dueAt === null ? Number.POSITIVE_INFINITY : clock.between(at, dueAt);

/** From the closest group to the widest; the first with enough orders counts. */
function groupsOf(
  { clock, carriers }: Pick<Practice, 'clock' | 'carriers'>,
  order: OpenOrder,
  { ahead, at }: { readonly ahead: number; readonly at: number },
): readonly number[] {
  const left = leftOf(order, at, clock);
  const wait = ranks[order.step] * 3 + bandOf(clock.between(order.since, at), 0.5, 2);
  const time = 4 + Math.min(27, Math.round(2 * Math.log2(Math.max(left, 0) + 0.25)));
  const queue = Math.min(15, Math.round(0.7 * Math.log2(ahead + 1)));
  const numberOf = (level: number, timeLeft = 0, inQueue = 0, by = 0) =>
    (((by * 16 + inQueue) * 32 + timeLeft) * 12 + wait) * 5 + level;
  const finest = numberOf(0, time, queue, carriers.get(order.carrier));
  return [finest, numberOf(1, time, queue), numberOf(2, time), numberOf(3, bandOf(left, 3, 9)), numberOf(4)];
}

const bandOf = (value: number, middle: number, high: number): number => (value >= high ? 2 : value >= middle ? 1 : 0);

/** From orders of the last weeks, as if somebody had looked every hour at those open then. `share` is the part of them that is given. */
export function learn(past: readonly ShippedOrder[], now: number, share = 1): Experience {
  const facilities = [...Map.groupBy(past, facilityOf)].filter(([, all]) =>
    all.some(({ shippedAt }) => shippedAt <= now - LEAST_PAST_MS),
  );
  return new Map(facilities.map(([name, all]) => [name, practiceOf(all, now, share)]));
}

function practiceOf(shipped: readonly ShippedOrder[], now: number, share: number): Practice {
  const clock = workClock(shipped.map(({ shippedAt }) => shippedAt));
  const carriers = new Map([...new Set(shipped.map(({ carrier }) => carrier))].map((it, place) => [it, place + 1]));
  const groups = new Map<number, Group>();
  const today: { readonly numbers: readonly number[]; readonly work: number }[] = [];
  for (const { order, at, stood, ahead: given } of looksAt(shipped, now)) {
    if (clock.isResting(at)) continue;
    const ahead = Math.round(given / share);
    const work = clock.between(at, order.shippedAt) / (ahead + OWN);
    const numbers = groupsOf({ clock, carriers }, stood, { ahead, at });
    if (at > now - TODAY_MS) today.push({ numbers, work });
    for (const it of numbers) {
      const group = groups.get(it) ?? { orders: new Set(), work: [] };
      groups.set(it, group);
      group.orders.add(order);
      group.work.push(work);
    }
  }
  for (const { work } of groups.values()) work.sort((a, b) => a - b);
  const ratios = today.map(({ numbers, work }) => {
    const usual = quantile(findGroup(groups, numbers)?.work ?? [work], 0.5);
    return (work + LITTLE) / (usual + LITTLE);
  });
  ratios.sort((a, b) => a - b);
  // Few say little.
  const weight = ratios.length / (ratios.length + WEIGHT_OF_BEFORE);
  return { clock, carriers, groups, slowdown: weight === 0 ? 1 : quantile(ratios, 0.5) ** weight };
}

/** At every full hour of its way. */
function* looksAt(shipped: readonly ShippedOrder[], now: number) {
  const known = shipped.map((order) => ({ order, from: Math.min(...Object.values(order.waited)) }));
  const first = known.reduce((least, { from }) => Math.min(least, from), now);
  for (let at = Math.ceil(first / LOOK_MS) * LOOK_MS; at < now; at += LOOK_MS) {
    const open = known.filter(({ order, from }) => from <= at && order.shippedAt > at);
    const [turns = []] = inTurn(open.map(({ order }) => ({ order, ...standingAt(order, at) })));
    for (const [ahead, { order, ...stood }] of turns.entries()) yield { order, at, stood, ahead };
  }
}

export function standingAt({ waited, tenant, facility, carrier, dueAt }: ShippedOrder, at: number): OpenOrder {
  const step = steps.findLast((it) => (waited[it] ?? Number.POSITIVE_INFINITY) <= at) ?? 'allocate';
  return { tenant, facility, carrier, dueAt, step, since: waited[step] ?? at };
}

function findGroup(groups: Practice['groups'], numbers: readonly number[]): Group | undefined {
  const place = numbers.find((it) => (groups.get(it)?.orders.size ?? 0) >= LEAST_COMPARABLE);
  return place === undefined ? undefined : groups.get(place);
}

/** By facility: before each order come those that are further along, due earlier, or there earlier. */
export const inTurn = <Of extends OpenOrder>(orders: readonly Of[]): readonly (readonly Of[])[] =>
  [...Map.groupBy(orders, facilityOf).values()].map((it) => it.sort(compareTurns));

const compareTurns = (a: OpenOrder, b: OpenOrder): number =>
  ranks[b.step] - ranks[a.step] || (a.dueAt ?? LAST) - (b.dueAt ?? LAST) || a.since - b.since;

const LAST = Number.MAX_SAFE_INTEGER;

const ranks = { allocate: 0, pick: 1, pack: 2, ship: 3 } as const satisfies Record<Step, number>;

/** `changes` are those before this look; undefined where too few comparable orders were. */
export function forecast(
  experience: Experience,
  order: OpenOrder,
  { ahead, at, changes }: { readonly ahead: number; readonly at: number; readonly changes: number },
): Forecast | undefined {
  const practice = experience.get(facilityOf(order));
  if (!practice) return undefined;
  const { clock, groups, slowdown } = practice;
  const group = findGroup(groups, groupsOf(practice, order, { ahead, at }));
  if (!group) return undefined;
  const { work, orders } = group;
  const left = leftOf(order, at, clock);
  const scale = ahead + OWN;
  const after = (part: number, slow = slowdown) => clock.after(at, quantile(work, part) * scale * slow);
  const bar = left > NEAR && !isNotified(changes) ? FAR_BAR : BARS[changes];
  const missing = 1 - countUpTo(work, left / scale / slowdown) / work.length;
  const turns = bar !== undefined && missing >= bar !== isNotified(changes);
  return {
    expectedAt: after(0.5),
    earliest: after(0.1),
    latest: after(0.9),
    step: order.step,
    ahead,
    comparable: orders.size,
    usualMs: after(0.5, 1) - at,
    slowdown: Math.round(slowdown * 100) / 100,
    changes: turns ? changes + 1 : changes,
  };
}
