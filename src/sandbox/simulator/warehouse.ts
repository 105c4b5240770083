import type { SubjectKind, SubjectRef } from '../../domain/catalogue/subject.ts';
import { type EventName, entryOf, isOfOrderItem } from './effects/effects.ts';
import type { Circumstances } from './effects/occurrence.ts';
import type { AnyLifeName } from './scenarios/scenarios.ts';
import { type Book, createBook } from './state/book.ts';
import type { EntryOptions } from './state/entry.ts';
import type { Numbering } from './state/numbering.ts';
import { lineOf } from './state/order.ts';
import { type SubjectState, trueStage } from './state/subject.ts';
import type { LocalTime } from './time-format.ts';
import { type Delivery, deliver } from './webhooks/delivery.ts';
import { createLedger, type Standing, type SubjectTruth } from './webhooks/ledger.ts';
import { type DeliveryForm, writeMessage } from './webhooks/message.ts';
import { concerns, parseWebhookRecords, type Webhook } from './webhooks/record.ts';
import type { Message, Sender } from './webhooks/sender.ts';

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
export interface Happening extends Circumstances {
  readonly wmsEventId: number;
  readonly name: EventName;
  /** Milliseconds since the epoch; by default now, yet later than the subject's last event. */
  readonly time?: number | undefined;
}

/** What one tenant of the simulated warehouse has, without the HTTP side. */
export interface Warehouse {
  readonly book: Book;
  readonly numbering: Numbering;
  readonly localTime: LocalTime;
  /** Replaces all records; throws a ZodError for one that breaks a rule. */
  setWebhooks(records: unknown): void;
  /** Creates what nothing has happened to; returns its id. */
  create(what: {
    readonly kind: SubjectKind;
    readonly number: number;
    readonly life: AnyLifeName | null;
    readonly options?: EntryOptions;
  }): string;
  /** Changes the subject, then writes down the event and its messages. Delivers nothing. */
  happen(id: string, happening: Happening): SimulatedEvent;
  /** Sends the event's messages; twice the same bytes where `doubled`. */
  deliver(event: SimulatedEvent, options?: { readonly doubled: boolean }): Delivery;
  truth(): readonly SubjectTruth[];
}

/** What a warehouse stands on. */
export interface WarehouseDeps {
  readonly seed: number;
  readonly tplId: number;
  readonly numbering: Numbering;
  readonly localTime: LocalTime;
  readonly form: DeliveryForm;
  readonly sender: Sender;
}

/** Opens a warehouse with nothing in it and without webhooks. */
export function createWarehouse(deps: WarehouseDeps): Warehouse {
  const { tplId, numbering, localTime, sender } = deps;
  const book = createBook(deps);
  const ledger = createLedger();
  let webhooks: readonly Webhook[] = [];
  const refer = ({ kind, id }: SubjectState): SubjectRef => ({ kind, id: String(id), tenant: String(tplId) });

  const happen = (subjectId: string, { wmsEventId, name, time, ...circumstances }: Happening): SimulatedEvent => {
    const before = book.get(subjectId);
    const at = time ?? Math.max(Date.now(), before.lastModified + 1);
    const orderItemId = lineIdOf(before, name, circumstances);
    const state = book.apply(subjectId, name, { ...circumstances, time: at });
    const id = `${tplId}:${wmsEventId}`;
    const { milestone } = entryOf(name);
    ledger.write(subjectId, { id, name, milestone, time: at, ...(orderItemId !== undefined && { orderItemId }) });
    const messages = webhooks
      .filter((webhook) => concerns(webhook, name, state.customer.id))
      .map((webhook) => ({
        destination: webhook.destination,
        body: writeMessage({ tplId, wmsEventId, name, time: at, orderItemId }, state, webhook, deps),
      }));
    return { id, subject: refer(state), name, time: at, messages };
  };
  return {
    book,
    numbering,
    localTime,
    happen,
    setWebhooks: (records) => {
      webhooks = parseWebhookRecords(records);
    },
    create: ({ kind, number, life, options }) => {
      const subject = refer(book.create(kind, number, options));
      ledger.open({ subject, number, life });
      return subject.id;
    },
    deliver: (event, { doubled } = { doubled: false }) =>
      deliver(doubled ? event.messages.flatMap((message) => [message, message]) : event.messages, sender, (fate) =>
        ledger.settle(event.id, fate),
      ),
    truth: () => ledger.truth((id) => standingOf(book.get(id))),
  };
}

/** The line that an event of a line is about; undefined for any other event. */
function lineIdOf(state: SubjectState, name: EventName, { orderItemId }: Circumstances): string | undefined {
  if (!isOfOrderItem(name) || state.kind !== 'order') return undefined;
  return String(lineOf(state, orderItemId).orderItemId);
}

function standingOf(state: SubjectState): Standing {
  return { stage: trueStage(state), ...(state.kind === 'stock' && { levels: state.levels }) };
}
