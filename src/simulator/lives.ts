import type { EventName } from './order-effects.ts';

/**
 * A step of a life: an event; with `?` one that the seed may leave out; with `!` a pick job that is done without every line
 * picked.
 */
export type Step = EventName | `${EventName}?` | 'OrderPickJobDone!';

/** The lives that an order may lead, each as the events that happen in it, in order. */
export const lives = {
  straight: [
    'OrderCreate',
    'OrderUpdate?',
    'OrderFullyAllocated',
    'OrderComplete?',
    'OrderPickJobUserAssigned?',
    'OrderPickJobDone',
    'OrderPackStarted?',
    'OrderPackComplete',
    'OrderUpdate?',
    'OrderConfirm',
  ],
  noPickOrPack: ['OrderCreate', 'OrderFullyAllocated', 'OrderComplete?', 'OrderUpdate?', 'OrderConfirm'],
  pickedIncomplete: [
    'OrderCreate',
    'OrderFullyAllocated',
    'OrderPickJobUserAssigned?',
    'OrderPickJobDone!',
    'OrderUpdate?',
    'OrderPickJobUserAssigned?',
    'OrderPickJobDone',
    'OrderPackStarted?',
    'OrderPackComplete',
    'OrderConfirm',
  ],
  excludedAndPickedLater: [
    'OrderCreate',
    'OrderFullyAllocated',
    'OrderPickJobUserAssigned',
    'OrderPickJobUserUnassigned?',
    'OrderExcludedFromPickJob',
    'OrderPickJobUserAssigned?',
    'OrderPickJobDone',
    'OrderPackStarted?',
    'OrderPackComplete',
    'OrderConfirm',
  ],
  reopened: [
    'OrderCreate',
    'OrderFullyAllocated',
    'OrderPickJobDone',
    'OrderPackStarted?',
    'OrderPackComplete',
    'OrderConfirm',
    'OrderUnconfirm',
    'OrderUpdate?',
    'OrderConfirm',
  ],
  canceledEarly: ['OrderCreate', 'OrderUpdate?', 'OrderFullyAllocated?', 'OrderCancel'],
  canceledLate: [
    'OrderCreate',
    'OrderFullyAllocated',
    'OrderPickJobUserAssigned?',
    'OrderPickJobDone',
    'OrderPackStarted',
    'OrderPackComplete',
    'OrderCancel',
  ],
  deleted: ['OrderCreate', 'OrderUpdate?', 'OrderFullyAllocated?', 'OrderDeleted'],
} as const satisfies Record<string, readonly Step[]>;

/** The name of a life. */
export type LifeName = keyof typeof lives;

/** The names of all lives. */
export const lifeNames = Object.keys(lives) as LifeName[];
