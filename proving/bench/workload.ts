import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import { toEnvelopeTime } from '../../sandbox/simulator/webhooks/message.ts';
import type { Milestone } from '../../src/domain/lifecycle/milestone.ts';

/** Events of an order, in order. */
export const steps = [
  { name: 'OrderCreate', milestone: 'created' },
  { name: 'OrderFullyAllocated', milestone: 'fullyAllocated' },
  { name: 'OrderPickJobDone', milestone: 'picked' },
  { name: 'OrderPackStarted', milestone: 'packStarted' },
  { name: 'OrderPackComplete', milestone: 'packed' },
  { name: 'OrderConfirm', milestone: 'confirmed' },
] as const satisfies readonly { readonly name: string; readonly milestone: Milestone }[];

/** Signed webhook. */
export interface Delivery {
  readonly orderId: string;
  /** Index in {@link steps}. */
  readonly step: number;
  /** About 2 KB. */
  readonly body: Buffer;
  /** Value of the `Signature` header. */
  readonly signature: string;
}

/** Webhooks of one order, in order. */
export type OrderLoad = readonly Delivery[];

/** Warehouse tenant of every order. */
export const TENANT = '9104';
/** Customers and users that orders share, and orders of one pick job. */
export const CUSTOMERS = 3;
export const USERS = 3;
export const ORDERS_PER_JOB = 20;

/** Returns the customer of an order, its last user, and its pick job. */
const customerOf = (orderId: string): number => 418 + (Number(orderId) % CUSTOMERS);
const userOf = (orderId: string): number => 2110 + (Number(orderId) % USERS);
const pickJobOf = (orderId: string): number => 4_400_000 + Math.floor(Number(orderId) / ORDERS_PER_JOB);

/** Returns the webhooks of orders step by step, so that at a fixed rate those of one order come as far apart as there are orders. */
export const stepByStep = (orders: readonly OrderLoad[]): readonly Delivery[] =>
  steps.flatMap((_, step) => orders.flatMap((order) => order[step] ?? []));

/** Creates orders with ids and events used only once, signed with a private key in PEM. */
export function createWorkload({ privateKey }: { readonly privateKey: string }) {
  // The first of a pick job.
  let nextId = 31_000_000;

  async function createOrder(): Promise<OrderLoad> {
    const id = nextId++;
    return Promise.all(
      steps.map(async (_, step) => {
        const time = Date.now() - (steps.length - step) * 1000;
        const body = writeMessage(String(id), step, { eventId: id * 10 + step, time });
        const signature = (await signAsync('sha256', body, privateKey)).toString('base64');
        return { orderId: String(id), step, body, signature };
      }),
    );
  }

  return {
    async orders(count: number): Promise<OrderLoad[]> {
      const orders: OrderLoad[] = [];
      // Four at a time keep OpenSSL's threads busy.
      while (orders.length < count)
        orders.push(...(await Promise.all(Array.from({ length: Math.min(4, count - orders.length) }, createOrder))));
      return orders;
    },
  };
}

const signAsync = promisify<string, Buffer, string, Buffer>(sign);

/** Message in the form of captured traffic (wire facts), with the order embedded. */
function writeMessage(
  orderId: string,
  step: number,
  event: { readonly eventId: number; readonly time: number },
): Buffer {
  const time = toEnvelopeTime(event.time);
  return Buffer.from(
    JSON.stringify({
      tplId: Number(TENANT),
      wmsEventId: event.eventId,
      warehouseTransactionEventId: event.eventId,
      dateTime: time,
      eventDatetimeUtc: time,
      createDatetimeUtc: time,
      eventType: steps[step]?.name,
      resource: { rel: 'orders/order', href: `/orders/${orderId}`, body: orderResource(orderId, step) },
      links: JSON.stringify({
        'uiproperties/user': { LastModifiedBy: `/uiproperties/users/${userOf(orderId)}` },
        'customers/customer': `/customers/${customerOf(orderId)}`,
      }),
      data: JSON.stringify({ OrderId: orderId }),
    }),
  );
}

const dateAt = (step: number) => `2026-02-11T10:42:1${step}.063`;

/** Order as the warehouse's API shows it after a step. */
export function orderResource(orderId: string, step: number): object {
  const user = { id: userOf(orderId), name: 'j.lindqvist' };
  return {
    referenceNum: `REF-${orderId}`,
    poNum: `PO-${orderId}`,
    externalId: `EXT-${orderId}`,
    savedElements: [{ name: 'GiftWrap', value: 'false' }],
    readOnly: {
      orderId: Number(orderId),
      status: step >= 5 ? 1 : 0,
      isClosed: step >= 5,
      fullyAllocated: step >= 1,
      ...(step >= 2 && { pickDoneDate: dateAt(2) }),
      ...(step >= 3 && { packStarted: dateAt(3) }),
      ...(step >= 4 && { packDoneDate: dateAt(4) }),
      ...(step >= 5 && { processDate: dateAt(5) }),
      customerIdentifier: { id: customerOf(orderId), name: 'Cobalt Cycling', externalId: 'COBALT' },
      facilityIdentifier: { id: 12, name: 'Reno' },
      creationDate: dateAt(0),
      createdByIdentifier: user,
      lastModifiedDate: dateAt(step),
      lastModifiedByIdentifier: user,
    },
    _links: {
      self: { href: `/orders/${orderId}` },
      'http://api.3plCentral.com/rels/customers/customer': { href: `/customers/${customerOf(orderId)}` },
      'http://api.3plCentral.com/rels/orders/pickjob': { href: `/orders/pickjobs/${pickJobOf(orderId)}` },
    },
    _embedded: { 'http://api.3plCentral.com/rels/orders/item': [orderLine(orderId, 0), orderLine(orderId, 1)] },
  };
}

function orderLine(orderId: string, index: number): object {
  const orderItemId = Number(orderId) * 10 + index;
  return {
    readOnly: { orderItemId, fullyAllocated: true, unitIdentifier: { id: 1, name: 'Each' } },
    itemIdentifier: { id: 7003 + index, sku: `TIRE-700C-${index}` },
    qty: 6,
    _links: { self: { href: `/orders/${orderId}/items/${orderItemId}` } },
  };
}
