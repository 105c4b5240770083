import { findEntry } from '../../../src/domain/catalogue/catalogue.ts';
import { isRow, type SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import { kindOf, type SubjectState } from '../kinds/kinds.ts';
import type { Manners, MannersHolder } from '../manners.ts';
import { capitalize, createLocalTime, type LocalTime, type Resource } from '../resources/resource.ts';
import { noSections, type Sections } from '../resources/sections.ts';
import { showSubject } from '../resources/subject.ts';

interface MessageEvent {
  readonly tplId: number;
  readonly wmsEventId: number | string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Order line that the event is about; undefined if it is about the whole subject. */
  readonly orderItemId: string | undefined;
}

/** Manners that shape a warehouse's messages. */
export interface MessageFormat {
  readonly manners: MannersHolder;
  readonly localTime: LocalTime;
  /** Lists the subjects of a kind. */
  readonly list: (kind: SubjectKind) => readonly SubjectState[];
}

/** Delay between an event and its record, in milliseconds. */
const RECORDING_MS = 40;

/** Formats a date in the envelope of a message: UTC with seven fraction digits and no zone, `2026-02-11T16:42:19.0630000`. */
export const toEnvelopeTime = (time: number): string => `${createLocalTime(0)(time)}0000`;

/** Serializes the message that reports an event, with the subject as it is now; `sections` is null without the resource. */
export function writeMessage(
  event: MessageEvent,
  state: SubjectState,
  sections: Sections | null,
  { manners, localTime, list }: MessageFormat,
): Buffer {
  const form = manners.current();
  const { showLine, inMessage } = kindOf(state.kind);
  const wanted = sections ?? noSections;
  const line = event.orderItemId === undefined ? undefined : showLine?.(state, event.orderItemId, wanted);
  const shown = line ?? showSubject(state, wanted, { localTime, manners: form });
  // A stock summary is in every message; a deleted subject has no resource.
  const hasBody = isRow(state.kind) || (sections !== null && !state.deleted);
  const body = () => inMessage?.(state, form, () => list(state.kind)) ?? shown.body;
  const message = {
    tplId: event.tplId,
    wmsEventId: event.wmsEventId,
    dateTime: toEnvelopeTime(event.time),
    eventDatetimeUtc: toEnvelopeTime(event.time),
    warehouseTransactionEventId: event.wmsEventId,
    createDatetimeUtc: toEnvelopeTime(event.time + RECORDING_MS),
    eventType: spell(event.name, form.spelling),
    resource: {
      rel: shown.rel,
      href: shown.path + toQuery(line ? { detail: wanted.itemDetail } : { ...wanted }),
      ...(hasBody && { body: inForm(body(), form.body) }),
    },
    links: inForm(linksOf(state), form.links),
    data: inForm(shown.ids, form.links),
  };
  const whole = form.wrapped ? { headers: { 'Content-Type': 'application/json' }, body: message } : message;
  return Buffer.from(JSON.stringify(whole));
}

function spell(name: string, spelling: Manners['spelling']): string {
  const entry = findEntry(name);
  const spellings = { name, alias: entry?.aliases[0], label: entry?.label, renamed: `${name}V2` };
  return spellings[spelling] ?? name;
}

/** Returns the query with which a GET shows the same sections. */
function toQuery(sections: Readonly<Record<string, ReadonlySet<string>>>): string {
  const query = Object.entries(sections)
    .filter(([, values]) => values.size > 0)
    .map(([name, values]) => `${name.toLowerCase()}=${[...values].map(capitalize).join(',')}`)
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

function inForm<T extends Resource | readonly Resource[]>(value: T, form: 'string' | 'object'): T | string {
  return form === 'string' ? JSON.stringify(value) : value;
}
