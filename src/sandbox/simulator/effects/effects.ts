import { type CatalogueEntry, findEntry } from '../../../domain/catalogue/catalogue.ts';
import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import type { SubjectState } from '../state/subject.ts';
import { inventoryEffects } from './inventory.ts';
import { movementEffects } from './movement.ts';
import type { Effect, Occurrence } from './occurrence.ts';
import { orderEffects } from './order.ts';
import { orderItemEffects } from './order-item.ts';

/** An event of a line of an order, by the catalogue's name. */
export type OrderItemEventName = keyof typeof orderItemEffects;

/** An event that can happen, by the catalogue's name. */
export type EventName = keyof typeof effects;

const effects = { ...orderEffects, ...orderItemEffects, ...movementEffects, ...inventoryEffects };

/** Every event that can happen. */
export const eventNames = Object.keys(effects) as EventName[];

/** What the catalogue knows of an event. */
export function entryOf(name: EventName): CatalogueEntry {
  const entry = findEntry(name);
  if (!entry) throw new Error(`${name} is not in the catalogue`);
  return entry;
}

/** Whether an event is one of a line of an order. */
export function isOfOrderItem(name: EventName): name is OrderItemEventName {
  return Object.hasOwn(orderItemEffects, name);
}

/**
 * The subject after the event. No rule refuses an event of its kind: what may follow what is "not shown". Throws for an event
 * of another kind, and for one of a line that the order does not have.
 */
export function applyEvent(state: SubjectState, name: EventName, occurrence: Occurrence): SubjectState {
  if (kindOf(name) !== state.kind) throw new Error(`${name} cannot happen to ${state.kind} ${state.id}`);
  const effect = effects[name] as Effect<SubjectState>;
  return {
    ...state,
    lastModified: Math.max(state.lastModified, occurrence.time),
    lastModifiedBy: state.clerk,
    ...effect(state, occurrence),
  } as SubjectState;
}

/** What happens to a line happens to its order. */
function kindOf(name: EventName): SubjectKind {
  const { subject } = entryOf(name);
  return subject === 'orderItem' ? 'order' : subject;
}
