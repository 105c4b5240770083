import { requestedItemSections } from '../../resources/sections.ts';
import type { EventTypeRow, Kind, OwnRetrieval } from '../kind.ts';
import { transaction } from '../transaction.ts';
import { truthOf } from './advice.ts';
import { showOrder, showOrderItem, toOrderItemResource, toPickListResource } from './resource.ts';
import { currentPickJob, lineOf, newOrder, type OrderState, orderEffects, stageOfOrder } from './state.ts';

const scenarios = {
  straight: 'created updated? fullyAllocated completed? pickerAssigned? picked packStarted? packed updated? confirmed',
  noPickOrPack: 'created fullyAllocated completed? updated? confirmed',
  pickedIncomplete:
    'created fullyAllocated pickerAssigned? picked! updated? pickerAssigned? picked packStarted? packed confirmed',
  excludedAndPickedLater:
    'created fullyAllocated pickerAssigned pickerUnassigned? excludedFromPickJob pickerAssigned? picked packStarted? packed confirmed',
  reopened: 'created fullyAllocated picked packStarted? packed confirmed unconfirmed updated? confirmed',
  pickedByLine: 'created fullyAllocated pickerAssigned? itemPicked* picked packStarted itemPacked* packed confirmed',
  pickedAndPackedAgain:
    'created fullyAllocated itemPicked* itemUnpicked itemPicked picked packStarted itemPacked* itemUnpacked itemPacked packed confirmed',
  canceledEarly: 'created updated? fullyAllocated? canceled',
  canceledLate: 'created fullyAllocated pickerAssigned? picked packStarted packed canceled',
  deleted: 'created updated? fullyAllocated? deleted',
} as const;

const retrievals: readonly OwnRetrieval<OrderState>[] = [
  {
    operation: 'getOrdersItem',
    path: '/orders/:id/items/:itemId',
    find({ find }, { id, query }) {
      const order = find(id('id'));
      const line = order?.lines.find(({ orderItemId }) => orderItemId === id('itemId'));
      return order && line && toOrderItemResource(order, line, requestedItemSections(query));
    },
    all: (orders) => orders.flatMap(({ id, lines }) => lines.map(({ orderItemId }) => ({ id, itemId: orderItemId }))),
  },
  {
    operation: 'getOrdersPicklist',
    path: '/orders/pickjobs/:id/picklist',
    find({ findWhole }, { id }) {
      const order = findWhole(id('id'));
      const job = order?.pickJobs.find((candidate) => candidate.id === id('id'));
      return order && job && toPickListResource(order, job);
    },
    all: (orders) => orders.flatMap(({ pickJobs }) => pickJobs.map(({ id }) => ({ id }))),
  },
];

export const order = {
  type: 'Order',
  resources: {
    Default: {},
    'Order custom fields': { detail: 'savedElements' },
    Packages: { detail: 'packages' },
    Contacts: { detail: 'contacts' },
    'Billing details': { detail: 'billingDetails' },
    'Outbound serial numbers': { detail: 'outboundSerialNumbers' },
    'Small parcel': { detail: 'smallParcel' },
    'Parcel options': { detail: 'parcelOptions' },
    'Order items': { detail: 'orderItems' },
    'Order items > Item custom fields': { detail: 'orderItems', itemDetail: 'savedElements' },
    'Order items > Allocations': { detail: 'orderItems', itemDetail: 'allocations' },
    'Order items > Allocations with detail': { detail: 'orderItems', itemDetail: 'allocationsWithDetail' },
  },
  create: newOrder,
  effects: orderEffects,
  stage: stageOfOrder,
  scenarios,
  orders: 1,
  show: showOrder,
  hasForms: true,
  unset: {
    dates: ['processDate', 'pickDoneDate', 'packDoneDate', 'onHoldDate'],
    flags: ['pickStarted', 'packStarted', 'fullyAllocated'],
  },
  properties: [
    'poNum',
    'externalId',
    'readOnly.fullyAllocated',
    'readOnly.processDate',
    'readOnly.pickDoneDate',
    'readOnly.packDoneDate',
  ],
  retrievals,
  parts: ({ pickJobs }) => pickJobs.map(({ id }) => id),
  lineId: (order, lineId) => String(lineOf(order, lineId).orderItemId),
  showLine: showOrderItem,
  facts(order) {
    const job = currentPickJob(order);
    return {
      ...transaction.facts(order),
      fullyAllocated: order.fullyAllocated,
      lineCount: order.lines.length,
      pickDone: order.pickDone !== null,
      packStarted: order.packStarted !== null,
      packDone: order.packDone !== null,
      ...(job && { pickJobId: String(job.id) }),
    };
  },
  advice: {
    compared: ['isShipped', 'isComplete', 'trackingNumbers', 'lines', 'parcels', 'totals'],
    truth: truthOf,
  },
} as const satisfies Kind<OrderState>;

/** The specification does not list Default for order items; it enables the others there too. */
export const orderItem = {
  type: 'Order Item',
  resources: {
    Default: {},
    'Item custom fields': { itemDetail: 'savedElements' },
    Allocations: { itemDetail: 'allocations' },
    'Allocations with detail': { itemDetail: 'allocationsWithDetail' },
  },
} as const satisfies EventTypeRow;
