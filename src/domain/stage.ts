import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, milestones } from './milestone.ts';

/** Where a subject stands now; receipts, adjustments and assemblies have neither allocation, pick nor pack. Computed from the registers, never stored beside them. */
export type Stage = (typeof stages)[number];

/** All stages, in the order in which they are passed. */
export const stages = [
  'created',
  'completed',
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
  ['completed', 'completed'],
];

/** The furthest stage that a lifecycle has reached and kept; one of which anything is known is at least created. */
export function stageOf({ registers }: Pick<Lifecycle, 'registers'>): Stage {
  const furthest = reachedBy.find(([milestone]) => registers[milestones[milestone].register]?.milestone === milestone);
  return furthest?.[1] ?? 'created';
}

/** Whether a life has ended, as far as is known: what is closed can still be reopened. */
export function isOver(lifecycle: Pick<Lifecycle, 'registers'>): boolean {
  return ['confirmed', 'canceled', 'deleted'].includes(stageOf(lifecycle));
}

/** Whether a subject waits for a person: it has stalled and nothing has happened since. */
export function needsAttention({ registers }: Pick<Lifecycle, 'registers'>): boolean {
  return registers.attention?.milestone === 'stalled';
}
