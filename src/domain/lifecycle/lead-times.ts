import { z } from 'zod';
import { type SubjectKind, timedKinds } from '../catalogue/subject.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, milestones } from './milestone.ts';

/** Each from the one before it; the whole from first to last. */
export const leadSteps = ['allocated', 'picked', 'packed', 'shipped', 'whole'] as const;

export type LeadStep = (typeof leadSteps)[number];

export const leadGroupings = ['all', 'customer', 'facility', 'carrier', 'day'] as const;

const count = z.int().nonnegative();
const step = z.object({ count, median: count, p90: count }).exactOptional();

/** Outcome of closed subjects. */
export const leadGroup = z.object({
  group: z
    .string()
    .nullable()
    .describe('Id of the customer or facility, carrier, or day in UTC; null for all, and for what has none.'),
  closed: count,
  withDeadline: count.describe('Those that had a deadline.'),
  onTime: count.describe('Those of them that were closed by then.'),
  told: z
    .object({
      count: count.describe('Those that were told to be at risk before they were due.'),
      late: count.describe('Those of them that were late.'),
      unheard: count.describe('Those that were late, though nothing was told.'),
      aheadMs: count.describe('How long before it was due the median of what was late was told, in milliseconds.'),
      byRule: count.describe('Those that the fixed time of their rule would have told.'),
      lateByRule: count.describe('Those of them that were late.'),
    })
    .describe('Scorecard of what was told before it was due.'),
  steps: z
    .object({ allocated: step, picked: step, packed: step, shipped: step, whole: step } satisfies Record<
      LeadStep,
      z.ZodType
    >)
    .describe('Milliseconds from the step before it; `whole` from created to closed. Absent where no event told.'),
});

export type LeadGroup = z.output<typeof leadGroup>;

/** Absent if no event reported its beginning or its end. */
export interface LeadTimes {
  readonly closedAt: number;
  readonly steps: { readonly [S in LeadStep]?: number };
}

const ends = {
  allocated: ['created', 'fullyAllocated'],
  picked: ['fullyAllocated', 'picked'],
  packed: ['picked', 'packed'],
  shipped: ['packed', 'confirmed'],
  whole: ['created', 'confirmed'],
} as const satisfies Record<LeadStep, readonly [Milestone, Milestone]>;

/** Undefined while it is not closed, or without an event that told when. */
export function leadTimesOf(kind: SubjectKind, { registers }: Pick<Lifecycle, 'registers'>): LeadTimes | undefined {
  // A record shows by when something had happened, not when.
  const timeOf = (milestone: Milestone) => {
    const seen = registers[milestones[milestone].register];
    return seen?.milestone === milestone && seen.eventId !== null ? seen.time : undefined;
  };
  const closedAt = timeOf('confirmed');
  if (closedAt === undefined || !timedKinds.some((it) => it === kind)) return undefined;
  const steps = leadSteps.flatMap((step) => {
    const [from, to] = ends[step].map(timeOf);
    return from === undefined || to === undefined ? [] : [[step, Math.max(0, to - from)]];
  });
  return { closedAt, steps: Object.fromEntries(steps) };
}
