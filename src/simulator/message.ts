import { findEntry } from '../domain/catalogue.ts';
import { addresses, pathOf } from './address.ts';
import type { Resource } from './resource.ts';
import type { Sections } from './sections.ts';
import { toSubjectResource } from './subject-resource.ts';
import type { SubjectState } from './subject-state.ts';
import { toEnvelopeTime } from './time-format.ts';
import type { Webhook } from './webhook-record.ts';

/** How messages are written where the wire has been seen to vary. */
export interface DeliveryForm {
  /**
   * Which name of the catalogue's entry is sent: the wire name, its first alias (where it has one) or its label. Only an
   * order's labels are sent: those of the others ("Create") do not tell what they are about, so the wire name is.
   */
  readonly spelling: 'name' | 'alias' | 'label';
  /** The resource as a JSON object, or as a string of JSON. */
  readonly body: 'object' | 'string';
  /** The whole message within `{"headers", "body"}`. */
  readonly wrapped: boolean;
  /** `links` and `data` as strings of JSON, or as JSON objects. */
  readonly links: 'string' | 'object';
}

/** The form of captured traffic. */
export const capturedForm: DeliveryForm = { spelling: 'name', body: 'object', wrapped: false, links: 'string' };

/** What a message tells of. */
export interface MessageEvent {
  readonly tplId: number;
  readonly wmsEventId: number;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** How long after an event its record is written, in milliseconds. */
const RECORDING_MS = 40;

/** Writes the bytes of the message that tells a webhook's destination of an event, with the subject as it stands now. */
export function writeMessage(event: MessageEvent, state: SubjectState, webhook: Webhook, form: DeliveryForm): Buffer {
  const message = {
    tplId: event.tplId,
    wmsEventId: event.wmsEventId,
    dateTime: toEnvelopeTime(event.time),
    eventDatetimeUtc: toEnvelopeTime(event.time),
    warehouseTransactionEventId: event.wmsEventId,
    createDatetimeUtc: toEnvelopeTime(event.time + RECORDING_MS),
    eventType: spell(event.name, form.spelling),
    resource: resourceOf(state, webhook.sections, form),
    links: inForm(linksOf(state), form.links),
    data: inForm({ [capitalize(addresses[state.kind].idName)]: String(state.id) }, form.links),
  };
  const whole = form.wrapped ? { headers: { 'Content-Type': 'application/json' }, body: message } : message;
  return Buffer.from(JSON.stringify(whole));
}

function spell(name: string, spelling: DeliveryForm['spelling']): string {
  const entry = findEntry(name);
  const spellings = { name, alias: entry?.aliases[0], label: entry?.subject === 'order' ? entry.label : name };
  return spellings[spelling] ?? name;
}

function resourceOf(state: SubjectState, sections: Sections | null, form: DeliveryForm): Resource {
  const reference = { rel: addresses[state.kind].rel, href: pathOf(state) + toQuery(sections) };
  // What was deleted has nothing left that a message could carry.
  if (!sections || state.deleted) return reference;
  return { ...reference, body: inForm(toSubjectResource(state, sections), form.body) };
}

function toQuery(sections: Sections | null): string {
  const parameters = [
    ['detail', sections?.detail],
    ['itemdetail', sections?.itemDetail],
  ] as const;
  const query = parameters
    .filter(([, values]) => values?.size)
    .map(([name, values = new Set<string>()]) => `${name}=${[...values].map(capitalize).join(',')}`)
    .join('&');
  return query && `?${query}`;
}

function linksOf(state: SubjectState): Resource {
  return {
    'uiproperties/user': { LastModifiedBy: `/uiproperties/users/${state.lastModifiedBy.id}` },
    'customers/customer': `/customers/${state.customer.id}`,
    'properties/facility': `/properties/facilities/${state.facility.id}`,
  };
}

function inForm(value: Resource, form: 'string' | 'object'): Resource | string {
  return form === 'string' ? JSON.stringify(value) : value;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
