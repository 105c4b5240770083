import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type AnnouncementType,
  announced,
  announcementId,
  announcementTypes,
  collectionOf,
  kindOf,
  type SubjectKind,
  subjectKey,
  subjectKinds,
} from '../../domain/catalogue/subject.ts';
import { kindsWithDeadlines } from '../../domain/deadlines/rule.ts';
import { adviceForm } from '../../domain/kinds/advice.ts';
import { coalesces, type Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Announcement, OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { type Permitted, permitAnyone } from '../../domain/permission.ts';
import { type AnnouncementInput, announcementData, publishedFacts, publishedRecords } from './announcement-data.ts';

/** OpenAPI 3.1 (draft 2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

type Override = (context: { readonly jsonSchema: JsonSchema }) => void;

/** Leaves out limits of JavaScript's integers, patterns that repeat a format, and that an array is read-only. */
export const plain: Override = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  delete jsonSchema.readOnly;
};

/** Later versions may add members. */
export const open: Override = (context) => {
  plain(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
};

export const standaloneSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', override: open });

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

/** Rises when a member is renamed, removed or of another form; not with additions. */
export const CONTRACT_VERSION = 2;

/** `urn:dockline:order.packed:2` */
const dataSchemaUri = (type: AnnouncementType): string =>
  `urn:dockline:${type.replace('dockline.', '')}:${CONTRACT_VERSION}`;

/** `$id` is the type's `dataschema`; undefined for an unknown type. */
export function describeData(type: string): JsonSchema | undefined {
  const known = announcementTypes.get(type as AnnouncementType);
  if (!known) return undefined;
  const { kind, milestone, words } = known;
  const data = dataOf(kind)
    .extend({ kind: z.literal(kind), milestone: z.literal(milestone), advice: adviceForm(kind).optional() })
    .describe(words);
  return { ...standaloneSchema(data), $id: dataSchemaUri(type as AnnouncementType), title: type };
}

const withLines = subjectKinds.filter((kind) => kindOf(kind).hasLines);
const shown = subjectKinds.filter((kind) => kindOf(kind).isShown);

const membersOfSome: { readonly [M in keyof typeof announcementData.shape]?: readonly SubjectKind[] } = {
  ...Object.fromEntries(subjectKinds.map((kind) => [kind, [kind]])),
  orderItem: withLines,
  orderItemId: withLines,
  picked: withLines,
  packed: withLines,
  progress: withLines,
  deadline: kindsWithDeadlines,
  pickList: withLines,
  before: shown,
  after: shown,
  changed: subjectKinds.filter((kind) => kindOf(kind).namesChanges),
  coalesced: subjectKinds.filter((kind) => (Object.keys(announced[kind]) as Milestone[]).some(coalesces)),
  snapshot: subjectKinds.filter((kind) => !shown.includes(kind)),
};

function dataOf(kind: SubjectKind): z.ZodObject {
  const foreign = Object.entries(membersOfSome).filter(([, kinds]) => !kinds.includes(kind));
  const mask = Object.fromEntries(foreign.map(([name]) => [name, true]));
  return announcementData.omit(mask as { [M in keyof typeof announcementData.shape]?: true });
}
