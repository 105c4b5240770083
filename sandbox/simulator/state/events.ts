import { type CatalogueEntry, catalogue, subjectOf } from '../../../src/domain/catalogue/catalogue.ts';
import { type EventName, kindOf, type SubjectState } from '../kinds/kinds.ts';
import type { TimedDetails } from './entry.ts';

/** Names of all events that can happen. */
export const eventNames = catalogue.map(({ name }) => name) as EventName[];

/** Returns the catalogue's entry of an event. */
export function entryOf(name: EventName): CatalogueEntry {
  const entry = catalogue.find((row) => row.name === name);
  if (!entry) throw new Error(`${name} is not in the catalogue`);
  return entry;
}

/** Returns the id of the order line that an event is about; undefined for an event of a whole subject. */
export function orderItemIdIn(state: SubjectState, name: EventName, orderItemId?: string): string | undefined {
  return entryOf(name).subject === state.kind ? undefined : kindOf(state.kind).lineId?.(state, orderItemId);
}

/** Returns the subject after an event. Throws for an event of another kind, and for a line that the order does not have. */
export function applyEvent(state: SubjectState, name: EventName, details: TimedDetails): SubjectState {
  const { subject, milestone } = entryOf(name);
  const effect = subjectOf(subject) === state.kind && kindOf(state.kind).effects[milestone];
  if (!effect) throw new Error(`${name} cannot happen to ${state.kind} ${state.id}`);
  return {
    ...state,
    lastModified: Math.max(state.lastModified, details.time),
    lastModifiedBy: state.clerk,
    ...effect(state, details),
  } as SubjectState;
}
