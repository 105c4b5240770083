import { type CatalogueEntry, findEntry, subjectOf } from '../../../src/domain/catalogue/catalogue.ts';
import type { Effect, TimedDetails } from './entry.ts';
import { inventoryEffects } from './inventory.ts';
import { lineOf, orderEffects, orderItemEffects } from './order.ts';
import type { SubjectState } from './subject.ts';
import { movementEffects } from './transaction.ts';

const effects = { ...orderEffects, ...orderItemEffects, ...movementEffects, ...inventoryEffects };

/** Event that can happen, by its name in the catalogue. */
export type EventName = keyof typeof effects;

/** Names of all events that can happen. */
export const eventNames = Object.keys(effects) as EventName[];

export const isEventName = (name: string): name is EventName => Object.hasOwn(effects, name);

/** Returns the catalogue's entry of an event. */
export function entryOf(name: EventName): CatalogueEntry {
  const entry = findEntry(name);
  if (!entry) throw new Error(`${name} is not in the catalogue`);
  return entry;
}

/** Returns the id of the order line that an event is about; undefined for an event of a whole subject. */
export function orderItemIdIn(state: SubjectState, name: EventName, orderItemId?: string): string | undefined {
  if (!Object.hasOwn(orderItemEffects, name) || state.kind !== 'order') return undefined;
  return String(lineOf(state, orderItemId).orderItemId);
}

/**
 * Returns the subject after an event. Every event of the subject's kind is allowed at any time, since the specification
 * does not restrict their order. Throws for an event of another kind, and for a line that the order does not have.
 */
export function applyEvent(state: SubjectState, name: EventName, details: TimedDetails): SubjectState {
  const kind = subjectOf(entryOf(name).subject);
  if (kind !== state.kind) throw new Error(`${name} cannot happen to ${state.kind} ${state.id}`);
  const effect = effects[name] as Effect<SubjectState>;
  return {
    ...state,
    lastModified: Math.max(state.lastModified, details.time),
    lastModifiedBy: state.clerk,
    ...effect(state, details),
  } as SubjectState;
}
