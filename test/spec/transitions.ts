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
