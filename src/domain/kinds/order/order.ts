import { assumed, dated, event, type FamilyRow, type Kind, listed } from '../kind.ts';

/** Specification 2.4. */
export const orderSections = [
  'savedElements',
  'packages',
  'contacts',
  'billingDetails',
  'outboundSerialNumbers',
  'smallParcel',
  'parcelOptions',
  'orderItems',
] as const;

/** Specification 2.4. */
export const itemSections = ['savedElements', 'allocations', 'allocationsWithDetail'] as const;

export const order = {
  plural: 'orders',
  words: ['order'],
  id: 'readOnly.orderId',
  segments: 'orders?',
  operations: {
    getOrder: { path: '/orders/{id}', returns: 'orders' },
    getOrdersItem: { path: '/orders/{id}/items/{orderItemId}', returns: 'lines of orders', part: 'lines' },
    getOrdersPicklist: { path: '/orders/pickjobs/{jobId}/picklist', returns: 'pick lists', part: 'pick list' },
    getOrders: { path: '/orders', returns: 'lists of orders' },
  },
  retrieval: 'getOrder',
  listing: { operation: 'getOrders', pageLimit: 1000, ...listed },
  hasLines: true,
  namesChanges: true,
  stageNames: { fullyAllocated: 'Allocated', confirmed: 'Shipped' },
  dates: ['earliestShipDate', 'shipCancelDate'],
  sections: { setting: 'orderDetail', savedElements: 'savedElements' },
  isRouted: true,
  isTimed: true,
  events: [
    event('created', 'OrderCreate', 'getOrder'),
    event('completed', 'OrderComplete', 'getOrder'),
    event('updated', 'OrderUpdate', 'getOrder', 'getUser'),
    event('confirmed', 'OrderConfirm', 'getOrder'),
    event('unconfirmed', 'OrderUnconfirm', 'getOrder', 'getUser'),
    event('canceled', 'OrderCancel', 'getOrder', 'getUser'),
    assumed('deleted', 'OrderDeleted', 'Deleted', ['orderdelete']),
    event('fullyAllocated', 'OrderFullyAllocated', 'getOrder'),
    event('excludedFromPickJob', 'OrderExcludedFromPickJob', 'getOrder', 'getOrdersPicklist', 'getUser'),
    {
      ...event('pickerAssigned', 'OrderPickJobUserAssigned'),
      label: 'Pick job - user assigned',
      aliases: ['pickjobuserassigned'],
    },
    {
      ...event('pickerUnassigned', 'OrderPickJobUserUnassigned'),
      label: 'Pick job - user unassigned',
      aliases: ['pickjobuserunassigned'],
    },
    event('picked', 'OrderPickJobDone', 'getOrdersPicklist', 'getUser'),
    assumed(
      'packStarted',
      'OrderPackStarted',
      'Pack - started',
      ['packstarted', 'pickjobstarted', 'orderpickjobstarted', 'orderpackjobstarted'],
      'getOrder',
      'getUser',
    ),
    assumed(
      'packed',
      'OrderPackComplete',
      'Pack Complete',
      ['packcomplete', 'orderpacked', 'orderpackdone'],
      'getOrder',
      'getUser',
    ),
  ],
  announced: {
    created: 'The warehouse has the order. It may come late, after other events, or be inferred.',
    completed: 'The order is complete: the warehouse may start to work on it. Never inferred: no field shows it.',
    updated: 'Somebody saved a change. `data.order` has the state after it, `data.user` who did it.',
    fullyAllocated: 'Stock is reserved for every line.',
    allocationLost: 'Stock is no longer reserved for every line.',
    pickerAssigned: 'Somebody was assigned to pick it. Never inferred.',
    pickerUnassigned: 'The picker was removed. Never inferred.',
    excludedFromPickJob: 'It was taken out of its pick job, and counts as not picked.',
    picked: 'Its pick job is done. That does not prove that every line was picked: see `progress`.',
    itemPicked: 'One line was picked.',
    itemUnpicked: 'The picking of one line was undone.',
    packStarted: 'Packing has begun.',
    itemPacked: 'One line was put into a package.',
    itemUnpacked: 'One line was taken out of a package.',
    packed: 'Everything is packed. Not shipped yet.',
    confirmed: 'Shipped: the warehouse has closed the order.',
    unconfirmed: 'The closed order was reopened; it counts as not shipped.',
    canceled: 'The order was canceled.',
    deleted: "The order was removed from the warehouse's database.",
    stalled: 'The order has been in its stage for longer than `ORDER_STAGE_LIMITS` allows.',
    resumed: 'A stalled order has moved to another stage.',
    ...dated,
  },
} as const satisfies Kind;

/** Its events belong to its order. */
export const orderItem = {
  words: ['orderitem'],
  id: 'readOnly.orderItemId',
  segments: 'orderitems?|orders?/(?:[^/]+/)?items?',
  address: 'orders?/[^/?#]+/items',
  partOf: 'order',
  specificity: 2,
  events: [
    assumed('itemPacked', 'OrderItemPack', 'Pack', ['orderitempacked'], 'getOrdersItem'),
    assumed('itemUnpacked', 'OrderItemUnpack', 'Unpack', ['orderitemunpacked'], 'getOrdersItem'),
    assumed('itemPicked', 'OrderItemPick', 'Pick', ['orderitempicked'], 'getOrdersItem'),
    assumed('itemUnpicked', 'OrderItemUnpick', 'Unpick', ['orderitemunpicked'], 'getOrdersItem'),
  ],
} as const satisfies FamilyRow;
