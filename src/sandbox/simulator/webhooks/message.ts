import { findEntry } from '../../../domain/catalogue/catalogue.ts';
import type { Resource } from '../resources/resource.ts';
import { noSections, type Sections } from '../resources/sections.ts';
import { lineOf } from '../state/order.ts';
import type { SubjectState } from '../state/subject.ts';
import { type LocalTime, toEnvelopeTime } from '../time-format.ts';
import { type About, aboutLine, aboutSubject, capitalize } from './about.ts';
import type { Webhook } from './record.ts';

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
  /** The line of an order that it is about; undefined where it is about the whole. */
  readonly orderItemId: string | undefined;
}

/** How long after an event its record is written, in milliseconds. */
const RECORDING_MS = 40;

/** Writes the bytes of the message that tells a webhook's destination of an event, with the subject as it stands now. */
export function writeMessage(
  event: MessageEvent,
  state: SubjectState,
  { sections }: Webhook,
  { form, localTime }: { readonly form: DeliveryForm; readonly localTime: LocalTime },
): Buffer {
  const about = aboutOf(event, state, { sections: sections ?? noSections, localTime });
  // A stock summary is in every message; what was deleted has nothing left that one could carry.
  const carries = state.kind === 'stock' || (sections !== null && !state.deleted);
  const message = {
    tplId: event.tplId,
    wmsEventId: event.wmsEventId,
    dateTime: toEnvelopeTime(event.time),
    eventDatetimeUtc: toEnvelopeTime(event.time),
    warehouseTransactionEventId: event.wmsEventId,
    createDatetimeUtc: toEnvelopeTime(event.time + RECORDING_MS),
    eventType: spell(event.name, form.spelling),
    resource: {
      rel: about.rel,
      href: about.path + toQuery(about.query),
      ...(carries && { body: inForm(about.body, form.body) }),
    },
    links: inForm(linksOf(state), form.links),
    data: inForm(about.ids, form.links),
  };
  const whole = form.wrapped ? { headers: { 'Content-Type': 'application/json' }, body: message } : message;
  return Buffer.from(JSON.stringify(whole));
}

function aboutOf(
  { orderItemId }: MessageEvent,
  state: SubjectState,
  { sections, localTime }: { readonly sections: Sections; readonly localTime: LocalTime },
): About {
  return state.kind === 'order' && orderItemId !== undefined
    ? aboutLine(state, lineOf(state, orderItemId), sections)
    : aboutSubject(state, sections, localTime);
}

function spell(name: string, spelling: DeliveryForm['spelling']): string {
  const entry = findEntry(name);
  const spellings = { name, alias: entry?.aliases[0], label: entry?.subject === 'order' ? entry.label : name };
  return spellings[spelling] ?? name;
}

function toQuery(parameters: About['query']): string {
  const query = Object.entries(parameters)
    .filter(([, values]) => values.size > 0)
    .map(([name, values]) => `${name}=${[...values].map(capitalize).join(',')}`)
    .join('&');
  return query && `?${query}`;
}

function linksOf(state: SubjectState): Resource {
  return {
    'uiproperties/user': { LastModifiedBy: `/uiproperties/users/${state.lastModifiedBy.id}` },
    'customers/customer': `/customers/${state.customer.id}`,
    ...('facility' in state && { 'properties/facility': `/properties/facilities/${state.facility.id}` }),
  };
}

function inForm(value: Resource, form: 'string' | 'object'): Resource | string {
  return form === 'string' ? JSON.stringify(value) : value;
}
