import { type SubjectKind, timedKinds } from '../catalogue/subject.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, milestones } from './milestone.ts';

/** Each from the one before it; the whole from first to last. */
export const leadSteps = ['allocated', 'picked', 'packed', 'shipped', 'whole'] as const;

export type LeadStep = (typeof leadSteps)[number];

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
