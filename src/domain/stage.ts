import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, milestones } from './milestone.ts';

/** Where an order stands now. Computed from the registers, never stored beside them. */
export type Stage = (typeof stages)[number];

/** All stages, in the order in which an order passes them. */
export const stages = [
  'created',
  'fullyAllocated',
  'picked',
  'packing',
  'packed',
  'confirmed',
  'canceled',
  'deleted',
] as const;

const reachedBy: readonly (readonly [Milestone, Stage])[] = [
  ['deleted', 'deleted'],
  ['canceled', 'canceled'],
  ['confirmed', 'confirmed'],
  ['packed', 'packed'],
  ['packStarted', 'packing'],
  ['picked', 'picked'],
  ['fullyAllocated', 'fullyAllocated'],
];

/** The furthest stage that a lifecycle has reached and kept; an order of which anything is known is at least created. */
export function stageOf({ registers }: Pick<Lifecycle, 'registers'>): Stage {
  const furthest = reachedBy.find(([milestone]) => registers[milestones[milestone].register]?.milestone === milestone);
  return furthest?.[1] ?? 'created';
}

/** Whether an order's life has ended, as far as is known: a closed one can still be reopened. */
export function isOver(lifecycle: Pick<Lifecycle, 'registers'>): boolean {
  return ['confirmed', 'canceled', 'deleted'].includes(stageOf(lifecycle));
}

/** Whether an order waits for a person: it has stalled and nothing has happened since. */
export function needsAttention({ registers }: Pick<Lifecycle, 'registers'>): boolean {
  return registers.attention?.milestone === 'stalled';
}
