import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../../src/domain/kinds/kinds.ts';
import { type EventName, isEventName } from '../state/events.ts';

/**
 * Scenarios of each kind, as the names of their events in order. `?` marks an event that the seed may leave out, `*` one
 * event for each line of the order (by default an event is about the first), `!` a pick job that leaves lines unpicked, and
 * `-` and `+` an update that deactivates or reactivates an item.
 */
const texts = {
  order: {
    straight: `OrderCreate OrderUpdate? OrderFullyAllocated OrderComplete? OrderPickJobUserAssigned? OrderPickJobDone
      OrderPackStarted? OrderPackComplete OrderUpdate? OrderConfirm`,
    noPickOrPack: 'OrderCreate OrderFullyAllocated OrderComplete? OrderUpdate? OrderConfirm',
    pickedIncomplete: `OrderCreate OrderFullyAllocated OrderPickJobUserAssigned? OrderPickJobDone! OrderUpdate?
      OrderPickJobUserAssigned? OrderPickJobDone OrderPackStarted? OrderPackComplete OrderConfirm`,
    excludedAndPickedLater: `OrderCreate OrderFullyAllocated OrderPickJobUserAssigned OrderPickJobUserUnassigned?
      OrderExcludedFromPickJob OrderPickJobUserAssigned? OrderPickJobDone OrderPackStarted? OrderPackComplete OrderConfirm`,
    reopened: `OrderCreate OrderFullyAllocated OrderPickJobDone OrderPackStarted? OrderPackComplete OrderConfirm
      OrderUnconfirm OrderUpdate? OrderConfirm`,
    pickedByLine: `OrderCreate OrderFullyAllocated OrderPickJobUserAssigned? OrderItemPick* OrderPickJobDone
      OrderPackStarted OrderItemPack* OrderPackComplete OrderConfirm`,
    pickedAndPackedAgain: `OrderCreate OrderFullyAllocated OrderItemPick* OrderItemUnpick OrderItemPick OrderPickJobDone
      OrderPackStarted OrderItemPack* OrderItemUnpack OrderItemPack OrderPackComplete OrderConfirm`,
    canceledEarly: 'OrderCreate OrderUpdate? OrderFullyAllocated? OrderCancel',
    canceledLate: `OrderCreate OrderFullyAllocated OrderPickJobUserAssigned? OrderPickJobDone OrderPackStarted
      OrderPackComplete OrderCancel`,
    deleted: 'OrderCreate OrderUpdate? OrderFullyAllocated? OrderDeleted',
  },
  receipt: {
    straight: 'ReceiptCreate ReceiptUpdate? ReceiptComplete? ReceiptConfirm',
    reopened: 'ReceiptCreate ReceiptComplete? ReceiptConfirm ReceiptUnconfirm ReceiptUpdate? ReceiptConfirm',
    canceled: 'ReceiptCreate ReceiptUpdate? ReceiptCancel',
    deleted: 'ReceiptCreate ReceiptUpdate? ReceiptDelete',
  },
  adjustment: {
    straight: 'AdjustmentCreate AdjustmentUpdate? AdjustmentConfirm',
    canceled: 'AdjustmentCreate AdjustmentUpdate? AdjustmentCancel',
    deleted: 'AdjustmentCreate AdjustmentUpdate? AdjustmentDelete',
  },
  assembly: {
    straight: 'AssemblyCreate AssemblyUpdate? AssemblyConfirm',
    canceled: 'AssemblyCreate AssemblyUpdate? AssemblyCancel',
    deleted: 'AssemblyCreate AssemblyUpdate? AssemblyDelete',
  },
  item: {
    kept: 'ItemCreate ItemUpdate',
    deactivated: 'ItemCreate ItemUpdate ItemUpdate-',
    reactivated: 'ItemCreate ItemUpdate ItemUpdate- ItemUpdate+',
    deleted: 'ItemCreate ItemDelete',
  },
  stock: { moved: `${'InventorySummaryUpdate '.repeat(3)}${'InventorySummaryUpdate? '.repeat(5)}` },
  hold: {
    held: 'InventoryPlaceOnHold',
    released: 'InventoryPlaceOnHold InventoryReleaseFromHold',
    heldAgain: 'InventoryPlaceOnHold InventoryReleaseFromHold InventoryPlaceOnHold',
  },
} as const satisfies Record<SubjectKind, Readonly<Record<string, string>>>;

/** Name of a scenario of orders. */
export type OrderScenario = keyof (typeof texts)[typeof mainKind];

/** Names of all scenarios of orders. */
export const orderScenarios = Object.keys(texts[mainKind]) as OrderScenario[];

/** Step of a scenario. */
export interface Step {
  readonly name: EventName;
  readonly mark: '' | '?' | '*' | '!' | '-' | '+';
}

/** Sequence of steps that a subject may go through. */
interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Scenarios to choose from. */
export type Scenarios = readonly [Scenario, ...Scenario[]];

/** Scenarios of each kind. */
export const scenarios = Object.fromEntries(
  Object.entries(texts).map(([kind, table]) => [kind, Object.entries(table).map(parseScenario)]),
) as unknown as Readonly<Record<SubjectKind, Scenarios>>;

/** Returns the named scenarios of orders, by default all. A scenario named twice is chosen twice as often. */
export function scenariosNamed(names: readonly OrderScenario[] = []): Scenarios {
  const [first, ...rest] = names.flatMap((name) => scenarios[mainKind].filter((scenario) => scenario.name === name));
  return first ? [first, ...rest] : scenarios[mainKind];
}

function parseScenario([name, text]: readonly [string, string]): Scenario {
  return { name, steps: text.trim().split(/\s+/).map(parseStep) };
}

function parseStep(text: string): Step {
  const [, name = '', mark = ''] = /^(\w+)([?*!+-]?)$/.exec(text) ?? [];
  if (!isEventName(name)) throw new Error(`${text} is not a step of a scenario`);
  return { name, mark: mark as Step['mark'] };
}
