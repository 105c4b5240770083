import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Milestone } from '../../src/domain/lifecycle/milestone.ts';
import { toEnvelopeTime } from '../../src/sandbox/simulator/time-format.ts';
import { CUSTOMER_ID, orderResource, USER_ID } from './resources.ts';

/** The events of an order's life, in order. */
export const steps = [
  { name: 'OrderCreate', milestone: 'created' },
  { name: 'OrderFullyAllocated', milestone: 'fullyAllocated' },
  { name: 'OrderPickJobDone', milestone: 'picked' },
  { name: 'OrderPackStarted', milestone: 'packStarted' },
  { name: 'OrderPackComplete', milestone: 'packed' },
  { name: 'OrderConfirm', milestone: 'confirmed' },
] as const satisfies readonly { readonly name: string; readonly milestone: Milestone }[];

/** One webhook, ready to be sent. */
export interface Delivery {
  readonly orderId: string;
  /** Which of {@link steps} it tells of. */
  readonly step: number;
  /** About 2 KB. */
  readonly body: Buffer;
  /** The `Signature` header. */
  readonly signature: string;
}

/** The webhooks of one order, in order. */
export type OrderLoad = readonly Delivery[];

/** The warehouse tenant that everything is of. */
export const TENANT = '9104';

/** Makes orders whose ids and events nobody has used before, signed with a private key in PEM. */
export function createWorkload({
  privateKey,
  firstId = 31_000_000,
}: {
  readonly privateKey: string;
  readonly firstId?: number;
}) {
  let nextId = firstId;
  let nextEventId = firstId * 10;

  /** The webhooks of one order, as many as it has steps. */
  async function createOrder(): Promise<OrderLoad> {
    const orderId = String(nextId++);
    const firstEvent = nextEventId;
    nextEventId += steps.length;
    return Promise.all(
      steps.map(async (_, step) => {
        const time = Date.now() - (steps.length - step) * 1000;
        const body = writeMessage({ orderId, step, eventId: firstEvent + step, time });
        return { orderId, step, body, signature: await signBody(body, privateKey) };
      }),
    );
  }

  return {
    async orders(count: number): Promise<OrderLoad[]> {
      const orders: OrderLoad[] = [];
      // Four at a time keep OpenSSL's threads busy.
      while (orders.length < count) {
        const some = Array.from({ length: Math.min(4, count - orders.length) }, createOrder);
        orders.push(...(await Promise.all(some)));
      }
      return orders;
    },
  };
}

const signAsync = promisify(
  sign as (
    algorithm: string,
    data: Buffer,
    key: string,
    callback: (error: Error | null, signature: Buffer) => void,
  ) => void,
);

const signBody = async (body: Buffer, privateKey: string): Promise<string> =>
  (await signAsync('sha256', body, privateKey)).toString('base64');

/** A message in the form of captured traffic (wire facts), with the order within it. */
export function writeMessage({
  orderId,
  step,
  eventId,
  time,
}: {
  readonly orderId: string;
  readonly step: number;
  readonly eventId: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}): Buffer {
  return Buffer.from(
    JSON.stringify({
      tplId: Number(TENANT),
      wmsEventId: eventId,
      dateTime: toEnvelopeTime(time),
      eventDatetimeUtc: toEnvelopeTime(time),
      warehouseTransactionEventId: eventId,
      createDatetimeUtc: toEnvelopeTime(time),
      eventType: steps[step]?.name,
      resource: { rel: 'orders/order', href: `/orders/${orderId}`, body: orderResource(orderId, step) },
      links: JSON.stringify({
        'uiproperties/user': { LastModifiedBy: `/uiproperties/users/${USER_ID}` },
        'customers/customer': `/customers/${CUSTOMER_ID}`,
      }),
      data: JSON.stringify({ OrderId: orderId }),
    }),
  );
}
