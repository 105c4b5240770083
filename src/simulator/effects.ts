import { findEntry } from '../domain/catalogue.ts';
import type { Milestone } from '../domain/milestone.ts';
import { movementEffects } from './movement-effects.ts';
import type { Effect, Occurrence } from './occurrence.ts';
import { orderEffects } from './order-effects.ts';
import type { SubjectState } from './subject-state.ts';

/** An event of an order, by the catalogue's name. */
export type OrderEventName = keyof typeof orderEffects;

/** An event of a receipt, adjustment or assembly, by the catalogue's name. */
export type MovementEventName = keyof typeof movementEffects;

/** An event that can happen, by the catalogue's name. */
export type EventName = OrderEventName | MovementEventName;

const effects = { ...orderEffects, ...movementEffects };

/** Every event that can happen. */
export const eventNames = Object.keys(effects) as EventName[];

/** The milestone that an event tells, by the catalogue. */
export function milestoneOf(name: EventName): Milestone {
  const milestone = findEntry(name)?.milestone;
  if (!milestone) throw new Error(`${name} tells no milestone in the catalogue`);
  return milestone;
}

/**
 * The subject after the event. No rule refuses an event of its kind: what may follow what is "not shown". Throws for an event
 * of another kind.
 */
export function applyEvent(state: SubjectState, name: EventName, occurrence: Occurrence): SubjectState {
  if (findEntry(name)?.subject !== state.kind) throw new Error(`${name} cannot happen to ${state.kind} ${state.id}`);
  const effect = effects[name] as Effect<SubjectState>;
  return {
    ...state,
    lastModified: Math.max(state.lastModified, occurrence.time),
    lastModifiedBy: state.clerk,
    ...effect(state, occurrence),
  } as SubjectState;
}
