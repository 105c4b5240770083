import { type Fact, shown } from './fact.ts';

/** The moves of section 3: resource, trigger, next state, and the event that is emitted. */
export const specifiedTransitions = [
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

/** Every move of section 3. */
export const transitionFacts: readonly Fact[] = specifiedTransitions.map(([resource, trigger, next, event]) =>
  shown('transition', '3', `${resource} ${trigger} → ${next} (${event})`, [
    'spec/transitions',
    'section 3 > every move of a resource is announced by its event and ends in its state: %s',
  ]),
);
