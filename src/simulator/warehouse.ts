import { createLedger, type Fate, type OrderTruth } from './ledger.ts';
import type { LifeName } from './lives.ts';
import { type DeliveryForm, writeMessage } from './message.ts';
import { createOrderBook, type OrderBook, type OrderOptions } from './order-book.ts';
import { type EventName, milestoneOf } from './order-effects.ts';
import { trueStage } from './order-state.ts';
import { isAccepted, type Message, type Sender } from './sender.ts';
import { concerns, parseWebhookRecords, type Webhook } from './webhook-record.ts';

/** An event that happened, with the messages that tell of it: one for each webhook that it concerns, written when it happened. */
export interface SimulatedEvent {
  /** `tplId:wmsEventId`. */
  readonly id: string;
  readonly orderId: string;
  readonly name: EventName;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly messages: readonly Message[];
}

/** What is to happen. */
export interface Happening {
  readonly wmsEventId: number;
  readonly name: EventName;
  readonly incomplete?: boolean;
  /** Milliseconds since the epoch; by default now, yet later than the order's last event. */
  readonly time?: number | undefined;
}

/** The delivery of one event to everyone that it concerns. */
export interface Delivery {
  /** Settles when each message was tried once. */
  readonly tried: Promise<unknown>;
  /** The last status; settles when every message was accepted or given up. */
  readonly settled: Promise<number | null>;
}

/** The simulated warehouse without its HTTP side. */
export interface Warehouse {
  readonly book: OrderBook;
  /** Replaces all records; throws a ZodError for one that breaks a rule. */
  setWebhooks(records: unknown): void;
  /** Sets event ids aside and returns the first. */
  reserveEventIds(count: number): number;
  createOrder(options: {
    readonly number: number;
    readonly life: LifeName | null;
    readonly order?: OrderOptions;
  }): string;
  /** Changes the order, then writes down the event and its messages. Delivers nothing. */
  happen(orderId: string, happening: Happening): SimulatedEvent;
  /** Sends the event's messages; twice the same bytes where `doubled`. */
  deliver(event: SimulatedEvent, options?: { readonly doubled: boolean }): Delivery;
  truth(): readonly OrderTruth[];
}

/** Opens a warehouse without orders or webhooks. */
export function createWarehouse(deps: {
  readonly seed: number;
  readonly tplId: number;
  /** The id of the first order; no life has more than ten events, which are numbered from ten times it. */
  readonly firstId: number;
  readonly form: DeliveryForm;
  readonly sender: Sender;
}): Warehouse {
  const { tplId, form, sender } = deps;
  const book = createOrderBook(deps);
  const ledger = createLedger();
  let webhooks: readonly Webhook[] = [];
  let nextEventId = 10 * deps.firstId;

  const happen = (orderId: string, { wmsEventId, name, incomplete = false, time }: Happening): SimulatedEvent => {
    const before = book.get(Number(orderId));
    const at = time ?? Math.max(Date.now(), before.lastModified + 1);
    const order = book.apply(before.orderId, name, { time: at, incomplete });
    const id = `${tplId}:${wmsEventId}`;
    ledger.write(orderId, { id, name, milestone: milestoneOf(name), time: at });
    const messages = webhooks
      .filter((webhook) => concerns(webhook, name, order.customer.id))
      .map((webhook) => ({
        destination: webhook.destination,
        body: writeMessage({ tplId, wmsEventId, name, time: at }, order, webhook, form),
      }));
    return { id, orderId, name, time: at, messages };
  };
  return {
    book,
    happen,
    setWebhooks: (records) => {
      webhooks = parseWebhookRecords(records);
    },
    reserveEventIds: (count) => {
      nextEventId += count;
      return nextEventId - count;
    },
    createOrder: ({ number, life, order }) => {
      const orderId = String(book.create(number, order).orderId);
      ledger.open(orderId, life);
      return orderId;
    },
    deliver: (event, { doubled } = { doubled: false }) =>
      deliver(doubled ? event.messages.flatMap((message) => [message, message]) : event.messages, sender, (fate) =>
        ledger.settle(event.id, fate),
      ),
    truth: () => ledger.truth(String(tplId), (orderId) => trueStage(book.get(Number(orderId)))),
  };
}

function deliver(messages: readonly Message[], sender: Sender, settle: (fate: Fate) => void): Delivery {
  const tried = sendInTurn(messages, sender);
  const settled = tried.then(async (settlements) => {
    const statuses = await Promise.all(settlements.map((settlement) => settlement.status));
    if (statuses.length > 0) settle(statuses.some(isAccepted) ? 'delivered' : 'undelivered');
    return statuses.at(-1) ?? null;
  });
  return { tried, settled };
}

async function sendInTurn(messages: readonly Message[], sender: Sender) {
  const settlements: { readonly status: Promise<number | null> }[] = [];
  for (const message of messages) {
    const sending = sender.send(message);
    settlements.push({ status: sending.settled });
    await sending.tried;
  }
  return settlements;
}
