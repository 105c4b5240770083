import { describe, expect, it } from 'vitest';
import type { EventName } from '../../sandbox/simulator/kinds/kinds.ts';
import { catalogue } from '../../src/domain/catalogue/catalogue.ts';
import { useSystem } from '../support/shared-system.ts';

/** The moves of section 3: resource, trigger, next state, and the event that is emitted. */
const specifiedTransitions = [
  ['Order', 'marked as Complete', 'Complete', 'OrderComplete'],
  ['Order', 'moved to Closed', 'Closed', 'OrderConfirm'],
  ['Order', 'reopened', 'reopened', 'OrderUnconfirm'],
  ['Order', 'moved to Canceled', 'Canceled', 'OrderCancel'],
  ['Order', 'all quantities allocated', 'unchanged', 'OrderFullyAllocated'],
  ['Receipt', 'marked as Complete', 'Complete', 'Complete'],
  ['Receipt', 'moved to Closed', 'Closed', 'Confirm'],
  ['Receipt', 'reopened', 'reopened', 'Unconfirm'],
  ['Receipt', 'moved to Canceled', 'Canceled', 'Cancel'],
  ['Adjustment', 'marked as Complete', 'Complete', 'Confirm'],
  ['Adjustment', 'moved to Canceled', 'Canceled', 'Cancel'],
  ['Assembly', 'marked as Complete', 'Complete', 'Confirm'],
  ['Assembly', 'moved to Canceled', 'Canceled', 'Cancel'],
  ['Item', 'deactivated', 'inactive', 'Update'],
  ['Inventory', 'placed on hold', 'on hold', 'Place on Hold'],
  ['Inventory', 'released from hold', 'released', 'Release from Hold'],
] as const;

type Transition = (typeof specifiedTransitions)[number];

const kinds = {
  Order: 'order',
  Receipt: 'receipt',
  Adjustment: 'adjustment',
  Assembly: 'assembly',
  Item: 'item',
  Inventory: 'hold',
} as const;

/** Announcement of a transition, the stage that follows, and the content of its GET or message. */
interface Outcome {
  readonly milestone: string;
  readonly stage: string;
  readonly snapshot: object;
}

const states: Record<Transition[2], Outcome> = {
  Complete: { milestone: 'completed', stage: 'completed', snapshot: { status: 'open' } },
  Closed: { milestone: 'confirmed', stage: 'confirmed', snapshot: { status: 'closed' } },
  reopened: { milestone: 'unconfirmed', stage: 'created', snapshot: { status: 'open' } },
  Canceled: { milestone: 'canceled', stage: 'canceled', snapshot: { status: 'canceled' } },
  unchanged: {
    milestone: 'fullyAllocated',
    stage: 'fullyAllocated',
    snapshot: { status: 'open', fullyAllocated: true },
  },
  inactive: { milestone: 'updated', stage: 'deactivated', snapshot: { deactivated: true } },
  'on hold': { milestone: 'placedOnHold', stage: 'onHold', snapshot: { onHold: true } },
  released: { milestone: 'releasedFromHold', stage: 'released', snapshot: { onHold: false } },
};

const stateAfter = ([, , next]: Transition) => states[next];

/** The move without which another cannot happen. */
const before: Partial<Record<Transition[2], Transition[2]>> = { reopened: 'Closed', released: 'on hold' };

function nameOf([resource, , , label]: Transition): EventName {
  const entry = catalogue.find((row) => row.subject === kinds[resource] && row.label === label);
  if (!entry) throw new Error(`The catalogue has no ${label} of ${resource}`);
  return entry.name as EventName;
}

describe('section 3', () => {
  const shared = useSystem();
  const families = Object.entries(Object.groupBy(specifiedTransitions, ([resource]) => resource));

  it.each(families)(
    'every move of a resource is announced by its event and ends in its state: %s',
    async (resource, moves) => {
      const { simulator, announced, view } = shared();
      const kind = kinds[resource as Transition[0]];
      for (const move of moves) {
        const id = simulator.create(kind);
        const needed = moves.filter(([, , next]) => next === before[move[2]]);
        for (const step of [...needed, move]) {
          await simulator.emit(id, nameOf(step), step[2] === 'inactive' ? { deactivated: true } : {});
          await expect
            .poll(() => announced(id, kind).map((text) => text.replace(/^\d+\//, '')))
            .toContain(stateAfter(step).milestone);
        }
        const { stage, lifecycle } = await view(id, kind);
        const { milestone: _, ...after } = stateAfter(move);
        expect([move[1], { stage, ...lifecycle }]).toMatchObject([move[1], after]);
      }
    },
  );
});
