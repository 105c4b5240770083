import type { EventName, OrderItemEventName } from '../effects/effects.ts';

/**
 * A step of a life: an event; with `?` one that the seed may leave out; with `!` a pick job that is done without every line
 * picked; with `*` one event for each line of the order, where it would otherwise be about the first.
 */
export type Step = EventName | `${EventName}?` | 'OrderPickJobDone!' | `${OrderItemEventName}*` | Deactivation;

/** An update by which an item is taken out of use, or into use again. */
export interface Deactivation {
  readonly name: 'ItemUpdate';
  readonly deactivated: boolean;
}
