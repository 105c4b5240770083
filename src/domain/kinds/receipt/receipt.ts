import { assumed, dated, type Kind, listed } from '../kind.ts';

/** Spelling of the specification (2.4). */
export const receiptSections = ['SavedElements', 'BillingDetails', 'ReceiveItems'] as const;

export const receipt = {
  plural: 'receipts',
  words: ['receipt', 'receiver'],
  id: 'readOnly.receiverId',
  segments: 'receivers?|receipts?',
  operations: {
    getReceiver: { path: '/inventory/receivers/{id}', returns: 'receipts' },
    getReceivers: { path: '/inventory/receivers', returns: 'lists of receipts' },
  },
  retrieval: 'getReceiver',
  listing: { operation: 'getReceivers', pageLimit: 500, ...listed },
  namesChanges: true,
  dates: ['arrivalDate', 'expectedDate'],
  sections: { setting: 'receiptDetail', savedElements: 'SavedElements' },
  isTimed: true,
  events: [
    assumed('created', 'ReceiptCreate', 'Create', [], 'getReceiver'),
    assumed('completed', 'ReceiptComplete', 'Complete', [], 'getReceiver'),
    assumed('updated', 'ReceiptUpdate', 'Update', [], 'getReceiver', 'getUser'),
    assumed('confirmed', 'ReceiptConfirm', 'Confirm', [], 'getReceiver'),
    assumed('unconfirmed', 'ReceiptUnconfirm', 'Unconfirm', [], 'getReceiver', 'getUser'),
    assumed('canceled', 'ReceiptCancel', 'Cancel', [], 'getReceiver', 'getUser'),
    assumed('deleted', 'ReceiptDelete', 'Delete', ['receiptdeleted', 'receiverdeleted']),
  ],
  announced: {
    created: 'The warehouse expects a delivery of goods.',
    completed: 'The receipt is complete. Never inferred.',
    updated: 'Somebody saved a change.',
    confirmed: 'The goods are in: the receipt is closed.',
    unconfirmed: 'The closed receipt was reopened.',
    canceled: 'The receipt was canceled.',
    deleted: "The receipt was removed from the warehouse's database.",
    ...dated,
  },
} as const satisfies Kind;
