import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AnnouncementType } from '../../domain/catalogue/announced.ts';
import { announcementId, collectionOf, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Announcement, OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { type Permitted, permitAnyone } from '../../domain/permission.ts';
import { type AnnouncementInput, announcementData, publishedFacts, publishedRecords } from './announcement-data.ts';
import { dataSchemaUri } from './data-schema.ts';

export const TEST_TYPE = 'dockline.test';

export const testAnnouncementSchema = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().regex(/^test\//),
  source: z.string(),
  type: z.literal(TEST_TYPE),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  data: z.strictObject({ tenant: z.string(), message: z.string() }),
});

export function createTestAnnouncement(tenant: string, now = Date.now()): Permitted<OutgoingAnnouncement> {
  const id = `test/${randomUUID()}`;
  const body: z.infer<typeof testAnnouncementSchema> = {
    specversion: '1.0',
    id,
    source: `/dockline/${encodeURIComponent(tenant)}`,
    type: TEST_TYPE,
    time: new Date(now).toISOString(),
    datacontenttype: 'application/json',
    data: { tenant, message: 'This is a test of the connection. It is about no order, and nothing has to be done.' },
  };
  return permitAnyone({ id, revision: 0, previous: null, isReplay: false, body: JSON.stringify(body) });
}

export const isTest = ({ id }: Pick<OutgoingAnnouncement, 'id'>): boolean => id.startsWith('test/');

const attributes = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().describe('Id of the announcement, which never changes.'),
  source: z.string().describe('Warehouse account, as `/dockline/{tenant}`.'),
  type: z.string().regex(/^dockline\.\w+\.\w+$/),
  subject: z.string().describe('Order, receipt, … within its account, as `orders/{id}`.'),
  time: z.iso.datetime().describe('When it happened.'),
  datacontenttype: z.literal('application/json'),
  dataschema: z
    .string()
    .regex(/^urn:dockline:\w+\.\w+:\d+$/)
    .describe(
      'Name of the schema of `data` with the version of the contract. `GET /schemas/{type}` returns the schema.',
    ),
  sequence: z
    .string()
    .regex(/^\d{10,}$/)
    .describe('Revision as ten digits, so that it is in order as text, too (CloudEvents: Sequence).'),
  partitionkey: z.string().describe('Key of the subject: announcements that share it are in order.'),
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .describe('Trace in which the change was recorded (W3C Trace Context); absent without traces.'),
});

const SEQUENCE_DIGITS = 10;

/** Contract with merchants: CloudEvent 1.0 in structured JSON. */
export const announcementSchema = attributes.extend({ data: announcementData });

export function createAnnouncement(input: AnnouncementInput): Announcement {
  const { subject, change } = input;
  const type = `dockline.${subject.kind}.${change.milestone}` as AnnouncementType;
  const envelope: z.infer<typeof attributes> = {
    specversion: '1.0',
    id: announcementId(subject, change),
    source: `/dockline/${encodeURIComponent(subject.tenant)}`,
    type,
    subject: `${collectionOf[subject.kind]}/${subject.id}`,
    time: new Date(change.time).toISOString(),
    datacontenttype: 'application/json',
    dataschema: dataSchemaUri(type),
    sequence: String(change.revision).padStart(SEQUENCE_DIGITS, '0'),
    partitionkey: subjectKey(subject),
    traceparent: input.trace,
  };
  const data = withMembers(publishedFacts(input), publishedRecords(input));
  return { id: envelope.id, revision: change.revision, body: withMembers(envelope, { data }) };
}

/** Parsing members that are JSON text would round large numbers. */
function withMembers(json: object, members: Readonly<Record<string, string>>): string {
  const appended = Object.entries(members).map(([name, text]) => `,${JSON.stringify(name)}:${text}`);
  return `${JSON.stringify(json).slice(0, -1)}${appended.join('')}}`;
}
