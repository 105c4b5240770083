import { addressOf, carrierOf } from '../state/carriers.ts';
import { currentPickJob, type OrderLine, type OrderState, type PickJob, packageIdOf } from '../state/order.ts';
import { type LocalTime, link, omitNulls, type Resource, relation } from './resource.ts';
import type { ItemSection, Section, Sections } from './sections.ts';
import { linksOf, readOnlyFields } from './transaction.ts';

/** Shows an order with the requested sections. */
export function toOrderResource(order: OrderState, { detail, itemDetail }: Sections, localTime: LocalTime): Resource {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  const lines = () => order.lines.map((line) => toOrderItemResource(order, line, itemDetail));
  return {
    referenceNum: order.referenceNum,
    poNum: `PO${order.id}`,
    externalId: `${order.customer.externalId}-${order.id}`,
    ...shipWindow(order, localTime),
    ...wanted('savedElements', { savedElements: [{ name: 'GiftWrap', value: 'false' }] }),
    ...wanted('contacts', contactsOf(order)),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 1, subtotal: 4.25 }] } }),
    ...wanted('smallParcel', { routingInfo: routing(order) }),
    ...wanted('parcelOptions', { parcelOption: { orderId: order.id, deliveryConfirmationType: 'None' } }),
    readOnly: {
      ...readOnlyFields(order, localTime),
      ...progressOf(order, localTime),
      ...wanted('packages', { packages: packages(order) }),
      ...wanted('outboundSerialNumbers', { outboundSerialNumbers: serialNumbers(order) }),
    },
    _links: orderLinks(order),
    ...(detail.has('orderItems') && { _embedded: { [relation('orders/item')]: lines() } }),
  };
}

const DAY_MS = 86_400_000;

/** Returns the days between which an order is to be shipped, which every third one has. Their names and form are a guess. */
function shipWindow({ id, created }: OrderState, localTime: LocalTime): Resource {
  if (id % 3 !== 0) return {};
  const dayOf = (time: number) => `${localTime(time).slice(0, 10)}T00:00:00`;
  return { earliestShipDate: dayOf(created), shipCancelDate: dayOf(created + 3 * DAY_MS) };
}

function progressOf(order: OrderState, localTime: LocalTime): Resource {
  const dateOf = (time: number | null) => (time === null ? null : localTime(time));
  return omitNulls({
    fullyAllocated: order.fullyAllocated,
    processDate: dateOf(order.processed),
    pickStarted: order.pickDone !== null || order.lines.some(({ picked }) => picked),
    pickDoneDate: dateOf(order.pickDone),
    packStarted: order.packStarted !== null,
    packDoneDate: dateOf(order.packDone),
    createdByIdentifier: order.clerk,
  });
}

function orderLinks(order: OrderState): Resource {
  const job = currentPickJob(order);
  return { ...linksOf(order), ...(job && { [relation('orders/pickjob')]: link(`/orders/pickjobs/${job.id}`) }) };
}

function contactsOf({ id }: OrderState): Resource {
  const address = addressOf(id);
  return {
    shipTo: { companyName: 'Corner Store', name: 'A. Example', ...address },
    soldTo: { companyName: 'Corner Store', name: 'B. Example', ...address },
    billTo: { companyName: 'Corner Store Holding', name: 'C. Example', ...address },
  };
}

function routing({ id, packDone }: OrderState): Resource {
  const { name: carrier, service: mode, track } = carrierOf(id);
  return { carrier, mode, ...(packDone !== null && { trackingNumber: track(id) }) };
}

const packages = ({ id, packDone }: OrderState): readonly Resource[] =>
  packDone === null ? [] : [{ packageId: packageIdOf(id), trackingNumber: carrierOf(id).track(id) }];

function serialNumbers(order: OrderState): readonly string[] {
  return order.packDone === null ? [] : order.lines.map((line) => `SN${line.orderItemId}`);
}

/** Returns the path of an order line. */
export const orderItemPath = ({ id }: OrderState, { orderItemId }: OrderLine): string =>
  `/orders/${id}/items/${orderItemId}`;

/** Shows an order line with the requested sections. */
export function toOrderItemResource(order: OrderState, line: OrderLine, sections: ReadonlySet<ItemSection>): Resource {
  return {
    readOnly: {
      orderItemId: line.orderItemId,
      fullyAllocated: order.fullyAllocated,
      unitIdentifier: { id: 1, name: 'Each' },
      ...allocations(order, line, sections),
    },
    itemIdentifier: line.item,
    qty: line.qty,
    ...(sections.has('savedElements') && { savedElements: [{ name: 'Engraving', value: 'none' }] }),
    _links: { self: link(orderItemPath(order, line)) },
  };
}

function allocations(order: OrderState, line: OrderLine, sections: ReadonlySet<ItemSection>): Resource {
  const withDetail = sections.has('allocationsWithDetail');
  if (!withDetail && !sections.has('allocations')) return {};
  if (!order.fullyAllocated) return { allocations: [] };
  const detail = withDetail && { detail: { locationIdentifier: { id: 31, name: 'A-04-2' }, receivedQty: 480 } };
  return { allocations: [{ receiveItemId: 880_000 + line.item.id, qty: line.qty, ...detail }] };
}

/** Shows the pick list of a job. The fields are a guess, since no pick list was published. */
export function toPickListResource(order: OrderState, job: PickJob): Resource {
  return {
    readOnly: omitNulls({ pickJobId: job.id, isDone: job.status === 'done', assignedTo: job.assigned }),
    lines: order.lines.map(({ orderItemId, item, qty, picked }, index) => ({
      orderId: order.id,
      orderItemId,
      itemIdentifier: item,
      qty,
      qtyPicked: picked || (job.status === 'done' && !(job.incomplete && index === 0)) ? qty : 0,
    })),
    _links: { self: link(`/orders/pickjobs/${job.id}/picklist`) },
  };
}
