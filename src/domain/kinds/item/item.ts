import { assumed, type Kind } from '../kind.ts';

/** It has no course to run: always over. */
export const item = {
  plural: 'items',
  words: ['item'],
  id: 'itemId',
  isIdGuessed: true,
  segments: 'items?',
  specificity: 0,
  operations: { getItem: { path: '/customers/{customerId}/items/{id}', returns: 'items' } },
  retrieval: 'getItem',
  isOfCustomer: true,
  lastStages: ['created'],
  events: [
    assumed('created', 'ItemCreate', 'Create', [], 'getItem'),
    assumed('updated', 'ItemUpdate', 'Update', [], 'getItem'),
    assumed('deleted', 'ItemDelete', 'Delete', ['itemdeleted']),
  ],
  announced: {
    created: 'The warehouse knows a new item (SKU).',
    updated: "The item's record was changed.",
    deactivated: 'The item is out of use.',
    reactivated: 'The item is in use again.',
    deleted: "The item was removed from the warehouse's database.",
  },
} as const satisfies Kind;
