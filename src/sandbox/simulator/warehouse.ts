import type { SubjectKind, SubjectRef } from '../../domain/catalogue/subject.ts';
import { type Book, createBook } from './state/book.ts';
import type { EntryOptions, EventDetails } from './state/entry.ts';
import type { EventName } from './state/events.ts';
import type { Numbering } from './state/numbering.ts';
import { newSubject } from './state/subject.ts';
import { type MessageFormat, writeMessage } from './webhooks/message.ts';
import { concerns, parseWebhookRecords, type Webhook } from './webhooks/record.ts';
import { isAccepted, type Message, type Sender } from './webhooks/sender.ts';

/** Event that happened, with its messages: one for each webhook that it concerns, written when it happened. */
export interface SimulatedEvent {
  /** `tplId:wmsEventId`. */
  readonly id: string;
  readonly subject: SubjectRef;
  readonly name: EventName;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly messages: readonly Message[];
}

/** Event that is to happen. */
export interface NewEvent extends EventDetails {
  readonly wmsEventId: number;
  readonly name: EventName;
  /** Milliseconds since the epoch. Default: now, or just after the subject's last event. */
  readonly time?: number | undefined;
}

/** Subject that is to be created. */
export interface NewSubject {
  readonly kind: SubjectKind;
  readonly number: number;
  readonly scenario: string | null;
  readonly options?: EntryOptions;
}

/** Delivery of an event to all webhooks that it concerns. */
export interface EventDelivery {
  /** Settles when each message was tried once. */
  readonly tried: Promise<unknown>;
  /** Status of the last attempt; settles when every message was accepted or given up. */
  readonly settled: Promise<number | null>;
}

/** Warehouse of one tenant, without its HTTP API. */
export interface Warehouse extends Pick<WarehouseDeps, 'numbering' | 'localTime'> {
  readonly book: Book;
  /** Replaces all records. Throws a ZodError if one breaks a rule. */
  setWebhooks(records: unknown): void;
  /** Creates a subject and returns its id. */
  create(subject: NewSubject): string;
  /** Applies an event to its subject and writes its messages, without sending them. */
  emit(id: string, event: NewEvent): SimulatedEvent;
  /** Sends the messages of an event, each twice if it is `doubled`. */
  deliver(event: SimulatedEvent, options?: { readonly doubled: boolean }): EventDelivery;
}

/** Dependencies of a warehouse. */
export interface WarehouseDeps extends MessageFormat {
  readonly seed: number;
  readonly tplId: number;
  readonly numbering: Numbering;
  readonly sender: Sender;
}

/** Opens a warehouse without subjects and webhooks. */
export function createWarehouse(deps: WarehouseDeps): Warehouse {
  const { seed, tplId, numbering, localTime, sender } = deps;
  const book = createBook(String(tplId));
  let webhooks: readonly Webhook[] = [];
  return {
    book,
    numbering,
    localTime,
    setWebhooks(records) {
      webhooks = parseWebhookRecords(records);
    },
    create({ kind, number, scenario, options = {} }) {
      const state = newSubject({ kind, number, id: numbering.idOf(kind, number) }, seed, options);
      return book.add(state, { number, scenario });
    },
    emit(subjectId, { wmsEventId, name, ...details }) {
      const id = `${tplId}:${wmsEventId}`;
      const time = details.time ?? Math.max(Date.now(), book.get(subjectId).lastModified + 1);
      const { state, orderItemId } = book.apply(subjectId, { id, name, time }, details);
      const messages = webhooks
        .filter((webhook) => concerns(webhook, name, state.customer.id))
        .map(({ destination, sections }) => ({
          destination,
          body: writeMessage({ tplId, wmsEventId, name, time, orderItemId }, state, sections, deps),
        }));
      return { id, subject: { kind: state.kind, id: subjectId, tenant: String(tplId) }, name, time, messages };
    },
    deliver({ id, messages }, { doubled } = { doubled: false }) {
      const copies = doubled ? messages.flatMap((message) => [message, message]) : messages;
      const { tried, settled } = sender.send(copies);
      const settle = (statuses: readonly (number | null)[]) => {
        if (statuses.length > 0) book.settle(id, statuses.some(isAccepted) ? 'delivered' : 'undelivered');
        return statuses.at(-1) ?? null;
      };
      return { tried, settled: settled.then(settle) };
    },
  };
}
