import { z } from 'zod';
import type { AnnouncementType } from '../../domain/catalogue/announced.ts';
import { announcementId, collectionOf, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Announcement } from '../../domain/outgoing.ts';
import { type AnnouncementInput, announcementData, publishedFacts, publishedRecords } from './announcement-data.ts';
import { dataSchemaUri } from './data-schema.ts';

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
  /** CloudEvents' extension: trace in which the change was recorded. */
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .describe('Trace in which the change was recorded (W3C Trace Context); absent without traces.'),
});

const SEQUENCE_DIGITS = 10;

/** Contract with merchants: CloudEvent 1.0 in structured JSON. */
export const announcementSchema = attributes.extend({ data: announcementData });

/** Embeds records as they came, digit by digit. */
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
