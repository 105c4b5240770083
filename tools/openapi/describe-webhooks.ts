import { announcementData, record } from '../../src/destinations/announcements/announcement-data.ts';
import {
  announcementSchema,
  createTestAnnouncement,
  type JsonSchema,
  TEST_TYPE,
  testAnnouncementSchema,
} from '../../src/destinations/announcements/cloud-event.ts';
import { type AnnouncedType, type AnnouncementType, announcementTypes } from '../../src/domain/catalogue/subject.ts';
import { snapshot, stockLevels } from '../../src/domain/lifecycle/snapshot.ts';
import examples from './announcement-examples.json' with { type: 'json' };
import { componentSchemas, schemaRef } from './schemas.ts';

const headers = {
  WebhookId: ['webhook-id', 'Id of the announcement, the same in every attempt.', 'order:9104:31004581/5/packed'],
  WebhookTimestamp: ['webhook-timestamp', 'Time of the attempt, in seconds since the epoch.', '1770804000'],
  WebhookSignature: [
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
} as const;

export function describeWebhooks() {
  return {
    webhooks: {
      ...Object.fromEntries(
        [...announcementTypes].map(([type, known]) => [
          type,
          describeWebhook(type, known.words, contentOf(type, known)),
        ]),
      ),
      [TEST_TYPE]: describeWebhook(TEST_TYPE, 'A test of the connection.', contentOfTest()),
    },
    parameters: Object.fromEntries(
      Object.entries(headers).map(([key, [name, description, example]]) => [
        key,
        { name, in: 'header', required: true, description, example, schema: { type: 'string' } as const },
      ]),
    ),
    schemas: componentSchemas({
      Announcement: announcementSchema,
      AnnouncementData: announcementData,
      WarehouseRecord: record,
      AnnouncedFacts: snapshot,
      StockLevels: stockLevels,
      TestAnnouncement: testAnnouncementSchema,
      TestAnnouncementData: testAnnouncementSchema.shape.data,
    }),
  };
}

function contentOf(type: AnnouncementType, { kind, milestone }: AnnouncedType): Content {
  const data = { kind: { const: kind }, milestone: { const: milestone } };
  return content('Announcement', examples[type], { properties: { type: { const: type } } }, { properties: data });
}

function contentOfTest(): Content {
  const example = JSON.parse(createTestAnnouncement('9104', Date.UTC(2026, 1, 11)).body);
  return content('TestAnnouncement', { ...example, id: 'test/1' });
}

/** In both content modes, the second with `data` alone. */
const content = (name: string, example: { readonly data: unknown }, event: JsonSchema = {}, data: JsonSchema = {}) => ({
  [STRUCTURED]: { schema: { $ref: schemaRef(name), ...event }, example },
  'application/json': { schema: { $ref: schemaRef(`${name}Data`), ...data }, example: example.data },
});

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;

const STRUCTURED = 'application/cloudevents+json';

function describeWebhook(type: string, description: string, content: Content) {
  return {
    post: {
      summary: `Announces ${type}`,
      description,
      tags: ['Announcements'],
      security: [],
      parameters: Object.keys(headers).map((key) => ({ $ref: `#/components/parameters/${key}` })),
      requestBody: { required: true, content },
      responses: { '2XX': { description: 'Acknowledges the announcement, which is then not sent again.' } },
    },
  };
}
