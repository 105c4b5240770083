import type { SubjectKind, SubjectRef } from '../domain/subject.ts';
import { type Book, createBook } from './book.ts';
import { type EventName, milestoneOf } from './effects.ts';
import { createLedger, type Fate, type SubjectTruth } from './ledger.ts';
import type { AnyLifeName } from './lives.ts';
import { type DeliveryForm, writeMessage } from './message.ts';
import type { Numbering } from './numbering.ts';
import { isAccepted, type Message, type Sender } from './sender.ts';
import { type SubjectState, trueStage } from './subject-state.ts';
import type { TransactionOptions } from './transaction.ts';
import { concerns, parseWebhookRecords, type Webhook } from './webhook-record.ts';

/** An event that happened, with the messages that tell of it: one for each webhook that it concerns, written when it happened. */
export interface SimulatedEvent {
  /** `tplId:wmsEventId`. */
  readonly id: string;
  readonly subject: SubjectRef;
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
  /** Milliseconds since the epoch; by default now, yet later than the subject's last event. */
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
  readonly book: Book;
  readonly numbering: Numbering;
  /** Replaces all records; throws a ZodError for one that breaks a rule. */
  setWebhooks(records: unknown): void;
  /** Creates what nothing has happened to; returns its id. */
  create(what: {
    readonly kind: SubjectKind;
    readonly number: number;
    readonly life: AnyLifeName | null;
    readonly options?: TransactionOptions;
  }): string;
  /** Changes the subject, then writes down the event and its messages. Delivers nothing. */
  happen(id: string, happening: Happening): SimulatedEvent;
  /** Sends the event's messages; twice the same bytes where `doubled`. */
  deliver(event: SimulatedEvent, options?: { readonly doubled: boolean }): Delivery;
  truth(): readonly SubjectTruth[];
}

/** Opens a warehouse with nothing in it and without webhooks. */
export function createWarehouse(deps: {
  readonly seed: number;
  readonly tplId: number;
  readonly numbering: Numbering;
  readonly form: DeliveryForm;
  readonly sender: Sender;
}): Warehouse {
  const { tplId, form, numbering, sender } = deps;
  const book = createBook(deps);
  const ledger = createLedger();
  let webhooks: readonly Webhook[] = [];
  const refer = ({ kind, id }: SubjectState): SubjectRef => ({ kind, id: String(id), tenant: String(tplId) });

  const happen = (subjectId: string, { wmsEventId, name, incomplete = false, time }: Happening): SimulatedEvent => {
    const before = book.get(Number(subjectId));
    const at = time ?? Math.max(Date.now(), before.lastModified + 1);
    const state = book.apply(before.id, name, { time: at, incomplete });
    const id = `${tplId}:${wmsEventId}`;
    ledger.write(subjectId, { id, name, milestone: milestoneOf(name), time: at });
    const messages = webhooks
      .filter((webhook) => concerns(webhook, name, state.customer.id))
      .map((webhook) => ({
        destination: webhook.destination,
        body: writeMessage({ tplId, wmsEventId, name, time: at }, state, webhook, form),
      }));
    return { id, subject: refer(state), name, time: at, messages };
  };
  return {
    book,
    numbering,
    happen,
    setWebhooks: (records) => {
      webhooks = parseWebhookRecords(records);
    },
    create: ({ kind, number, life, options }) => {
      const subject = refer(book.create(kind, number, options));
      ledger.open(subject, life);
      return subject.id;
    },
    deliver: (event, { doubled } = { doubled: false }) =>
      deliver(doubled ? event.messages.flatMap((message) => [message, message]) : event.messages, sender, (fate) =>
        ledger.settle(event.id, fate),
      ),
    truth: () => ledger.truth((id) => trueStage(book.get(Number(id)))),
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
