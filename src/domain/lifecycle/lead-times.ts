import { z } from 'zod';
import { type SubjectKind, timedKinds } from '../catalogue/subject.ts';
import { type ShippedOrder, type Step, steps } from '../deadlines/forecast.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, milestones } from './milestone.ts';

/** In the order of what is waited for, each until the next; the whole from first to last. */
export const leadSteps = ['allocated', 'picked', 'packed', 'shipped', 'whole'] as const;

export type LeadStep = (typeof leadSteps)[number];

export const leadGroupings = ['all', 'customer', 'facility', 'carrier', 'day'] as const;

const count = z.int().nonnegative();
const step = z.object({ count, medianMs: count, p90Ms: count }).exactOptional();

export const leadGroup = z.object({
  group: z
    .string()
    .nullable()
    .describe('Id of the customer or facility, carrier, or day in UTC; null for all, and for what has none.'),
  closed: count,
  withDeadline: count.describe('Those that had a deadline.'),
  onTime: count.describe('Those of them that were closed by then.'),
  notified: z
    .object({
      count: count.describe('Those notified as at risk before they were due.'),
      late: count.describe('Those of them that were late.'),
      unheard: count.describe('Those that were late without a notice.'),
      aheadMs: count.describe('How long before it was due the median late one was notified, in milliseconds.'),
    })
    .describe('Scorecard of what was notified before it was due.'),
  steps: z
    .object({ allocated: step, picked: step, packed: step, shipped: step, whole: step } satisfies Record<
      LeadStep,
      z.ZodType
    >)
    .describe('From the step before it; `whole` from created to closed. Absent where no event told.'),
});

export type LeadGroup = z.output<typeof leadGroup>;

export type Closing = Pick<ShippedOrder, 'shippedAt' | 'waited'>;

const beginnings = {
  allocate: 'created',
  pick: 'fullyAllocated',
  pack: 'picked',
  ship: 'packed',
} as const satisfies Record<Step, Milestone>;

/** When it was closed, and since when it had waited for each step; undefined while it is not, or without an event that told when. */
export function closingOf(kind: SubjectKind, { registers }: Pick<Lifecycle, 'registers'>): Closing | undefined {
  // A record shows by when something had happened, not when.
  const timeOf = (milestone: Milestone) => {
    const seen = registers[milestones[milestone].register];
    return seen?.milestone === milestone && seen.eventId !== null ? seen.time : undefined;
  };
  const shippedAt = timeOf('confirmed');
  if (shippedAt === undefined || !timedKinds.some((it) => it === kind)) return undefined;
  const waited = steps.map((step) => [step, timeOf(beginnings[step])] as const);
  return { shippedAt, waited: Object.fromEntries(waited.filter(([, at]) => at !== undefined)) };
}

export function leadTime(step: LeadStep, { waited, shippedAt }: Closing): number | undefined {
  const times = [...steps.map((it) => waited[it]), shippedAt];
  const place = leadSteps.indexOf(step);
  const [begun, ended] = step === 'whole' ? [times[0], shippedAt] : times.slice(place, place + 2);
  return begun === undefined || ended === undefined ? undefined : Math.max(0, ended - begun);
}
