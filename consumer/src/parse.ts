import type { Announcement, AnnouncementData, KnownAnnouncement, Snapshot, StockLevels } from './announcement.ts';
import { type Kind, type Milestone, milestonesOf, type UnknownAnnouncement } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';
import {
  type Check,
  count,
  flag,
  json,
  list,
  literal,
  matching,
  nullable,
  number,
  object,
  optional,
  text,
} from './shape.ts';

const amount = optional(number);
const fact = optional(flag);
const name = optional(text);

const levels = object<StockLevels>({
  totalReceived: amount,
  allocated: amount,
  available: amount,
  onHold: amount,
  onHand: amount,
});

const snapshot = object<Snapshot>({
  status: name,
  completed: fact,
  fullyAllocated: fact,
  pickDone: fact,
  packStarted: fact,
  packDone: fact,
  lineCount: amount,
  deactivated: fact,
  levels: optional(levels),
  onHold: fact,
  referenceNumber: name,
  customerId: name,
  customerName: name,
  facilityId: name,
  facilityName: name,
  pickJobId: name,
});

const progress = object<NonNullable<AnnouncementData['progress']>>({
  lines: nullable(number),
  picked: number,
  packed: number,
});

const event = object<NonNullable<AnnouncementData['event']>>({ id: text, name: text, time: text });

const record = optional(json);

/** Values of stages, causes and the like are not compared: Dockline may add some. */
const dataOf = (kind: string, milestone: string): Check =>
  object<AnnouncementData>({
    tenant: text,
    kind: literal(kind),
    id: text,
    milestone: literal(milestone),
    revision: count,
    stage: text,
    inferred: flag,
    late: flag,
    recordLags: fact,
    cause: text,
    event: nullable(event),
    coalesced: amount,
    before: optional(nullable(snapshot)),
    after: optional(snapshot),
    snapshot: optional(nullable(snapshot)),
    progress: optional(progress),
    orderItemId: name,
    picked: fact,
    packed: fact,
    resourceFrom: nullable(text),
    missing: optional(list(text)),
    wholeAt: name,
    order: record,
    orderItem: record,
    receipt: record,
    adjustment: record,
    assembly: record,
    item: record,
    stock: record,
    hold: record,
    customer: json,
    user: json,
    pickList: record,
  });

/** Form of the number that counts up from 1; longer ones would not be exact. */
const sequence = matching(/^0*[1-9]\d{0,14}$/);

const known = new Map(
  (Object.keys(milestonesOf) as Kind[]).flatMap((kind) =>
    milestonesOf[kind].map((milestone): [string, Check] => [
      `dockline.${kind}.${milestone}`,
      object<KnownAnnouncement<Kind, Milestone>>({
        specversion: literal('1.0'),
        id: text,
        source: text,
        type: text,
        subject: text,
        time: text,
        datacontenttype: text,
        dataschema: name,
        sequence,
        partitionkey: text,
        traceparent: name,
        data: dataOf(kind, milestone),
      }),
    ]),
  ),
);

/** Attributes of every CloudEvent, and those of one that is about a subject. */
const attributes = object<Omit<UnknownAnnouncement, 'sentType' | 'data'> & { specversion: unknown }>({
  specversion: text,
  type: text,
  id: text,
  source: text,
  sequence: optional(sequence),
  partitionkey: name,
});

/**
 * Parses the bytes of an announcement in CloudEvents' structured mode. Members that this version does not know stay; an announcement of another type is `unknown`.
 * Throws `ERR_MALFORMED` for anything else.
 */
export const parse = (body: Uint8Array): Announcement => parseValue(readJson(body));

/** Reports whether JSON is a whole CloudEvent: the data of an announcement has no such member. */
export const isCloudEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'specversion' in value;

/** Parses an announcement that was read as JSON, as {@link parse} does. */
export function parseValue(value: unknown): Announcement {
  attributes(value, 'announcement');
  const announcement = value as Omit<UnknownAnnouncement, 'sentType' | 'type'> & { readonly type: string };
  const check = known.get(announcement.type);
  if (!check) return { ...announcement, type: 'unknown', sentType: announcement.type };
  check(value, 'announcement');
  return value as Announcement;
}

/** Reads JSON in UTF-8. Throws `ERR_MALFORMED`. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new AnnouncementError('ERR_MALFORMED', 'the body is not JSON in UTF-8', { cause });
  }
}
