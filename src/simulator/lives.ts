import type { SubjectKind } from '../domain/subject.ts';
import type { EventName } from './effects.ts';

/**
 * A step of a life: an event; with `?` one that the seed may leave out; with `!` a pick job that is done without every line
 * picked.
 */
export type Step = EventName | `${EventName}?` | 'OrderPickJobDone!';

const orderLives = {
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

const receiptLives = {
  straight: ['ReceiptCreate', 'ReceiptUpdate?', 'ReceiptComplete?', 'ReceiptConfirm'],
  reopened: [
    'ReceiptCreate',
    'ReceiptComplete?',
    'ReceiptConfirm',
    'ReceiptUnconfirm',
    'ReceiptUpdate?',
    'ReceiptConfirm',
  ],
  canceled: ['ReceiptCreate', 'ReceiptUpdate?', 'ReceiptCancel'],
  deleted: ['ReceiptCreate', 'ReceiptUpdate?', 'ReceiptDelete'],
} as const satisfies Record<string, readonly Step[]>;

const adjustmentLives = {
  straight: ['AdjustmentCreate', 'AdjustmentUpdate?', 'AdjustmentConfirm'],
  canceled: ['AdjustmentCreate', 'AdjustmentUpdate?', 'AdjustmentCancel'],
  deleted: ['AdjustmentCreate', 'AdjustmentUpdate?', 'AdjustmentDelete'],
} as const satisfies Record<string, readonly Step[]>;

const assemblyLives = {
  straight: ['AssemblyCreate', 'AssemblyUpdate?', 'AssemblyConfirm'],
  canceled: ['AssemblyCreate', 'AssemblyUpdate?', 'AssemblyCancel'],
  deleted: ['AssemblyCreate', 'AssemblyUpdate?', 'AssemblyDelete'],
} as const satisfies Record<string, readonly Step[]>;

/** The name of a life of an order. */
export type LifeName = keyof typeof orderLives;

/** The name of a life of anything. */
export type AnyLifeName = LifeName | keyof typeof receiptLives;

/** The names of all lives of an order. */
export const lifeNames = Object.keys(orderLives) as LifeName[];

/** A life that something may lead, as the events that happen in it, in order. */
export interface Life {
  readonly name: AnyLifeName;
  readonly steps: readonly Step[];
}

/** Lives to choose from. */
export type Lives = readonly [Life, ...Life[]];

/** The lives that each kind may lead. */
export const lives: Readonly<Record<SubjectKind, Lives>> = {
  order: toLives(orderLives),
  receipt: toLives(receiptLives),
  adjustment: toLives(adjustmentLives),
  assembly: toLives(assemblyLives),
};

function toLives(table: { readonly [N in AnyLifeName]?: readonly Step[] }): Lives {
  return Object.entries(table).map(([name, steps]) => ({ name, steps })) as [Life, ...Life[]];
}
