import { type Fact, shown } from './fact.ts';

/** The facts of the specification's tables in section 6.2: event type, label, and what 'Retrieve with' names. */
export const specifiedEvents: readonly (readonly [type: string, label: string, retrieveWith: string])[] = [
  ['Order', 'OrderCreate', 'Get Order'],
  ['Order', 'OrderComplete', 'Get Order'],
  ['Order', 'OrderUpdate', 'Get Order, Get User'],
  ['Order', 'OrderConfirm', 'Get Order'],
  ['Order', 'OrderUnconfirm', 'Get Order, Get User'],
  ['Order', 'OrderCancel', 'Get Order, Get User'],
  ['Order', 'Deleted', 'none'],
  ['Order', 'OrderFullyAllocated', 'Get Order'],
  ['Order', 'OrderExcludedFromPickJob', 'Get Order, Get Orders Picklist, Get User'],
  ['Order', 'Pick job - user assigned', 'not shown'],
  ['Order', 'Pick job - user unassigned', 'not shown'],
  ['Order', 'OrderPickJobDone', 'Get Orders Picklist, Get User'],
  ['Order', 'Pack - started', 'Get Order, Get User'],
  ['Order', 'Pack Complete', 'Get Order, Get User'],
  ['Receipt', 'Create', 'Get Receiver'],
  ['Receipt', 'Complete', 'Get Receiver'],
  ['Receipt', 'Update', 'Get Receiver, Get User'],
  ['Receipt', 'Confirm', 'Get Receiver'],
  ['Receipt', 'Unconfirm', 'Get Receiver, Get User'],
  ['Receipt', 'Cancel', 'Get Receiver, Get User'],
  ['Receipt', 'Delete', 'none'],
  ['Adjustment', 'Create', 'Get Adjustment'],
  ['Adjustment', 'Confirm', 'Get Adjustment'],
  ['Adjustment', 'Cancel', 'Get Adjustment'],
  ['Adjustment', 'Update', 'Get Adjustment'],
  ['Adjustment', 'Delete', 'none'],
  ['Assembly', 'Create', 'Get Assembly'],
  ['Assembly', 'Cancel', 'Get Assembly'],
  ['Assembly', 'Delete', 'none'],
  ['Assembly', 'Update', 'Get Assembly'],
  ['Assembly', 'Confirm', 'Get Assembly'],
  ['Order item', 'Pack', 'Get Orders Item'],
  ['Order item', 'Unpack', 'Get Orders Item'],
  ['Order item', 'Pick', 'Get Orders Item'],
  ['Order item', 'Unpick', 'Get Orders Item'],
  ['Item', 'Create', 'Get Item'],
  ['Item', 'Update', 'Get Item'],
  ['Item', 'Delete', 'none'],
  ['Inventory summary', 'Update', 'Get Stock Summaries'],
  ['Inventory hold', 'Place on Hold', 'not shown'],
  ['Inventory hold', 'Release from Hold', 'not shown'],
];

const retrievals: Readonly<Record<string, string>> = { none: 'no retrieval', 'not shown': 'retrieval not shown' };

/** Every event of section 6.2. */
export const eventFacts: readonly Fact[] = specifiedEvents.map(([type, label, retrieveWith]) =>
  shown(
    'event',
    '6.2',
    `${type}: ${label} (${retrievals[retrieveWith] ?? retrieveWith})`,
    ['domain/catalogue/catalogue', 'the catalogue > %s: %s is retrieved with %s'],
    ['e2e/every-event', '%s the resource in the messages > every event of a family is announced once: %s'],
  ),
);
