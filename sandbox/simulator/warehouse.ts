import type { SubjectKind, SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { EventName } from './kinds/kinds.ts';
import { createBook } from './state/book.ts';
import type { EntryOptions, EventDetails } from './state/entry.ts';
import { type Numbering, newSubject } from './state/subject.ts';
import { createCopies } from './webhooks/copies.ts';
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

export interface EventOptions extends EventDetails {
  /** Milliseconds since the epoch. Default: now, or just after the subject's last event. */
  readonly time?: number;
}

/** Event that is to happen. */
interface NewEvent extends EventOptions {
  readonly wmsEventId: number;
  readonly name: EventName;
}

interface CreateOptions extends EntryOptions {
  /** Scenario that the subject plays; null if a caller controls it. */
  readonly scenario?: string | null;
}

export interface WarehouseDeps extends Omit<MessageFormat, 'list'> {
  readonly seed: number;
  readonly tplId: number;
  readonly numbering: Numbering;
  readonly sender: Sender;
}

/** Warehouse of one tenant, without its HTTP API. */
export type Warehouse = ReturnType<typeof createWarehouse>;

/** Opens a warehouse without subjects and webhooks. */
export function createWarehouse(deps: WarehouseDeps) {
  const { seed, tplId, numbering, localTime, sender, manners } = deps;
  const book = createBook(String(tplId));
  const copies = createCopies(seed, tplId, manners);
  let webhooks: readonly Webhook[] = [];
  const isReal = () => manners.current().realGoods;
  return {
    book,
    numbering,
    localTime,
    /** Reports whether goods are as in a real warehouse. */
    isReal,
    /** Replaces all records. Throws a ZodError if one breaks a rule. */
    setWebhooks(records: unknown) {
      webhooks = parseWebhookRecords(records);
    },
    /** Creates the nth subject of its kind and returns its id. */
    create(kind: SubjectKind, number: number, { scenario = null, ...options }: CreateOptions = {}) {
      const id = numbering.idOf(kind, number);
      const state = newSubject(kind, { ...options, id, number, seed, isReal: isReal() });
      return book.add(state, { number, scenario });
    },
    /** Applies an event to its subject and writes its messages, without sending them. */
    emit(subjectId: string, { wmsEventId, name, ...details }: NewEvent): SimulatedEvent {
      const id = `${tplId}:${wmsEventId}`;
      const time = details.time ?? Math.max(Date.now(), book.get(subjectId).lastModified + 1);
      const { state, orderItemId } = book.apply(subjectId, { id, name, time }, details);
      const reports = webhooks
        .filter((webhook) => concerns(webhook, name, state.customer.id))
        .flatMap((webhook) =>
          copies.sectionsFor(webhook, state.customer.id).map((sections) => ({ ...webhook, sections })),
        );
      const unsetId = copies.unsetId(reports.length);
      if (unsetId !== undefined) book.note(id, { isUnnamed: true });
      const event = { tplId, wmsEventId: unsetId ?? wmsEventId, name, time, orderItemId };
      let acceptedAt: number | undefined;
      const messages = reports.map(({ destination, sections }) => ({
        destination,
        body: writeMessage(event, state, sections, { ...deps, list: book.list }),
        onAccepted: () => {
          const now = Date.now();
          acceptedAt ??= now;
          if (sections) book.note(id, { shownAt: now, shownAfterMs: now - acceptedAt });
        },
      }));
      return { id, subject: { kind: state.kind, id: subjectId, tenant: String(tplId) }, name, time, messages };
    },
    /**
     * Sends the messages of an event, each twice if it is doubled. `tried` settles when each was tried once, `settled` with
     * the last status when each was accepted or given up.
     */
    deliver({ id, messages }: SimulatedEvent, doubled = false) {
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
