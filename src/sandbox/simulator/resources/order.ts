import { currentPickJob, type OrderState } from '../state/order.ts';
import type { LocalTime } from '../time-format.ts';
import { pathOf } from './address.ts';
import { toOrderItemResource } from './order-item.ts';
import { link, omitNulls, type Resource, relation } from './resource.ts';
import type { Section, Sections } from './sections.ts';

/** An order as the API shows it, with those of its optional sections that were asked for. */
export function toOrderResource(order: OrderState, { detail, itemDetail }: Sections, localTime: LocalTime): Resource {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  return {
    referenceNum: order.referenceNum,
    poNum: `PO${order.id}`,
    externalId: `${order.customer.externalId}-${order.id}`,
    ...wanted('savedElements', { savedElements: [{ name: 'GiftWrap', value: 'false' }] }),
    ...wanted('contacts', contacts),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 1, subtotal: 4.25 }] } }),
    ...wanted('smallParcel', { routingInfo: routing(order) }),
    ...wanted('parcelOptions', { parcelOption: { orderId: order.id, deliveryConfirmationType: 'None' } }),
    readOnly: {
      ...readOnlyFields(order, localTime),
      ...wanted('packages', { packages: packages(order) }),
      ...wanted('outboundSerialNumbers', { outboundSerialNumbers: serialNumbers(order) }),
    },
    _links: orderLinks(order),
    ...wanted('orderItems', {
      _embedded: {
        [relation('orders/item')]: order.lines.map((line) => toOrderItemResource(order, line, itemDetail)),
      },
    }),
  };
}

function readOnlyFields(order: OrderState, localTime: LocalTime): Resource {
  const dateOf = (time: number | null) => (time === null ? null : localTime(time));
  return omitNulls({
    orderId: order.id,
    status: order.status,
    isClosed: order.status === 1,
    fullyAllocated: order.fullyAllocated,
    deferNotification: order.deferNotification,
    processDate: dateOf(order.processed),
    pickDoneDate: dateOf(order.pickDone),
    packStarted: dateOf(order.packStarted),
    packDoneDate: dateOf(order.packDone),
    customerIdentifier: order.customer,
    facilityIdentifier: order.facility,
    creationDate: localTime(order.created),
    createdByIdentifier: order.clerk,
    lastModifiedDate: localTime(order.lastModified),
    lastModifiedByIdentifier: order.lastModifiedBy,
  });
}

function orderLinks(order: OrderState): Resource {
  const job = currentPickJob(order);
  return {
    self: link(pathOf(order)),
    [relation('customers/customer')]: link(`/customers/${order.customer.id}`),
    ...(job && { [relation('orders/pickjob')]: link(`/orders/pickjobs/${job.id}`) }),
  };
}

const address = { address1: '12 Harbor Street', city: 'Portland', state: 'OR', zip: '97201', country: 'US' };

const contacts = {
  shipTo: { companyName: 'Corner Store', name: 'A. Example', ...address },
  soldTo: { companyName: 'Corner Store', name: 'B. Example', ...address },
  billTo: { companyName: 'Corner Store Holding', name: 'C. Example', ...address },
};

function routing(order: OrderState): Resource {
  const packed = order.packDone !== null && { trackingNumber: `1Z${order.id}` };
  return { carrier: 'UPS', mode: 'Ground', ...packed };
}

function packages(order: OrderState): readonly Resource[] {
  return order.packDone === null ? [] : [{ packageId: order.id * 10, trackingNumber: `1Z${order.id}` }];
}

function serialNumbers(order: OrderState): readonly string[] {
  return order.packDone === null ? [] : order.lines.map((line) => `SN${line.orderItemId}`);
}
