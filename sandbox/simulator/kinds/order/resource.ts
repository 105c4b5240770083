import { type LocalTime, link, omitNulls, type Resource, relation } from '../../resources/resource.ts';
import type { ItemSection, Section, Sections } from '../../resources/sections.ts';
import { addressOf, carrierOf } from '../../state/carriers.ts';
import type { Shown } from '../kind.ts';
import { showTransaction } from '../transaction.ts';
import { type Goods, type Lot, trackingOf } from './shipment.ts';
import {
  currentPickJob,
  lineOf,
  type OrderLine,
  type OrderState,
  type PickJob,
  packageIdOf,
  parcelsIn,
  unitsIn,
} from './state.ts';

/** Shows an order with the requested sections. */
export function showOrder(order: OrderState, { detail, itemDetail }: Sections, localTime: LocalTime): Shown {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  const lines = () => order.lines.map((line) => toOrderItemResource(order, line, itemDetail));
  return showTransaction(order, localTime, {
    poNum: `PO${order.id}`,
    externalId: `${order.customer.externalId}-${order.id}`,
    ...shipWindow(order, localTime),
    ...wanted('savedElements', { savedElements: [{ name: 'GiftWrap', value: 'false' }] }),
    ...wanted('contacts', contactsOf(order)),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 1, subtotal: 4.25 }] } }),
    ...wanted('smallParcel', { routingInfo: routing(order) }),
    ...wanted('parcelOptions', { parcelOption: { orderId: order.id, deliveryConfirmationType: 'None' } }),
    readOnly: {
      ...progressOf(order, localTime),
      ...wanted('packages', { packages: packages(order, localTime) }),
      ...wanted('outboundSerialNumbers', { outboundSerialNumbers: serialNumbers(order) }),
    },
    _links: pickJobLink(order),
    ...(detail.has('orderItems') && { _embedded: { [relation('orders/item')]: lines() } }),
  });
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

function pickJobLink(order: OrderState): Resource {
  const job = currentPickJob(order);
  return job ? { [relation('orders/pickjob')]: link(`/orders/pickjobs/${job.id}`) } : {};
}

function contactsOf({ id }: OrderState): Resource {
  const address = addressOf(id);
  return {
    shipTo: { companyName: 'Corner Store', name: 'A. Example', ...address },
    soldTo: { companyName: 'Corner Store', name: 'B. Example', ...address },
    billTo: { companyName: 'Corner Store Holding', name: 'C. Example', ...address },
  };
}

function routing(order: OrderState): Resource {
  const { name: carrier, service: mode, scac: scacCode } = carrierOf(order.id);
  const last = parcelsIn(order).at(-1);
  return {
    carrier,
    mode,
    ...(order.parcels && { scacCode, billOfLading: `BOL${order.id}` }),
    ...(last?.isTracked && { trackingNumber: trackingOf(order.id, last) }),
  };
}

const packages = (order: OrderState, localTime: LocalTime): readonly Resource[] =>
  parcelsIn(order).map(({ isTracked, isLater, weight, goods, index }) => {
    const packageId = packageIdOf(order.id, index);
    const created = (order.packDone ?? 0) + (isLater ? DAY_MS : 0);
    return {
      packageId,
      ...(isTracked && { trackingNumber: trackingOf(order.id, { index }) }),
      ...(order.parcels && {
        packageDefIdentifier: { id: 3, name: 'Carton' },
        ...{ length: 12, width: 9.5, height: 6, weight },
        ucc128: ssccOf(packageId),
        createDate: localTime(created),
        packageContents: goods.map((one, at) => contentOf(order, one, { packageId, at })),
      }),
    };
  });

/** Whole for every other package, as text; else its serial part alone, as a number. */
const ssccOf = (packageId: number): string | number =>
  packageId % 2 === 0 ? `0034012345${String(packageId).padStart(10, '0')}` : packageId;

function contentOf(
  order: OrderState,
  { line, units, lot, serialNumbers }: Goods,
  { packageId, at }: { readonly packageId: number; readonly at: number },
): Resource {
  const { orderItemId, item, wares: { scale = 1 } = {} } = order.lines[line] ?? {};
  const [only, ...others] = serialNumbers;
  return {
    packageContentId: packageId * 100 + at,
    packageId,
    orderItemId,
    receiveItemId: 880_000 + (item?.id ?? 0),
    qty: units / scale,
    ...(lot && { lotNumber: lot.lotNumber, expirationDate: `${lot.expires}T00:00:00` }),
    ...(only !== undefined && (others.length > 0 ? { serialNumbers } : { serialNumber: only })),
  };
}

function serialNumbers(order: OrderState): readonly unknown[] {
  if (!order.parcels) return order.packDone === null ? [] : order.lines.map((line) => `SN${line.orderItemId}`);
  const scanned = parcelsIn(order).flatMap(({ goods }) => goods);
  return order.lines.flatMap(({ item, wares }, line) => {
    const own = scanned.filter((goods) => goods.line === line).flatMap((goods) => goods.serialNumbers);
    return own.length > 0 ? [{ itemIdentifier: item, qualifier: wares?.qualifier, serialNumbers: own }] : [];
  });
}

const orderItemPath = ({ id }: OrderState, { orderItemId }: OrderLine): string => `/orders/${id}/items/${orderItemId}`;

/** Shows an order line as messages name it. */
export function showOrderItem(order: OrderState, orderItemId: string, { itemDetail }: Sections): Shown {
  const line = lineOf(order, orderItemId);
  return {
    rel: 'orders/item',
    path: orderItemPath(order, line),
    ids: { OrderId: String(order.id), OrderItemId: orderItemId },
    body: toOrderItemResource(order, line, itemDetail),
  };
}

/** Shows an order line with the requested sections. */
export function toOrderItemResource(order: OrderState, line: OrderLine, sections: ReadonlySet<ItemSection>): Resource {
  const { wares } = line;
  return {
    readOnly: {
      orderItemId: line.orderItemId,
      fullyAllocated: order.fullyAllocated,
      unitIdentifier: { id: 1, name: wares?.perCase ? 'Case' : (wares?.unit ?? 'Each') },
      ...(wares?.perCase && { isOrderQtySecondary: true, originalPrimaryQty: line.qty }),
      ...allocations(order, line, sections),
    },
    itemIdentifier: line.item,
    ...(wares && { qualifier: wares.qualifier, externalId: wares.externalId }),
    qty: line.qty / (wares?.perCase ?? 1),
    ...(sections.has('savedElements') && { savedElements: [{ name: 'Engraving', value: 'none' }] }),
    _links: { self: link(orderItemPath(order, line)) },
  };
}

function allocations(order: OrderState, line: OrderLine, sections: ReadonlySet<ItemSection>): Resource {
  const withDetail = sections.has('allocationsWithDetail');
  if (!withDetail && !sections.has('allocations')) return {};
  if (!order.fullyAllocated) return { allocations: [] };
  const location = { locationIdentifier: { id: 31, name: 'A-04-2' }, receivedQty: 480 };
  const { goods, scale } = line.wares ?? { goods: [{ units: line.qty, lot: undefined }], scale: 1 };
  const isPicked = line.wares && (order.pickDone !== null || line.picked);
  return {
    allocations: goods.map((one) => ({
      receiveItemId: 880_000 + line.item.id,
      qty: unitsIn([one]) / scale,
      ...(isPicked && { properlyPickedPrimary: unitsIn([one]) / scale }),
      ...(withDetail && { detail: { ...location, ...(one.lot && { itemTraits: traitsOf(one.lot) }) } }),
    })),
  };
}

const traitsOf = ({ lotNumber, expires }: Lot): Resource => ({ lotNumber, expirationDate: `${expires}T00:00:00` });

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
