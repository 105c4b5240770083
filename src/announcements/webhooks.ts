import { type AnnouncementType, announcementTypes } from '../domain/catalogue/announced.ts';
import { componentSchemas, schemaRef } from '../http/json-schema.ts';
import { announcementData, record } from './announcement-data.ts';
import { announcementSchema } from './cloud-event.ts';
import { exampleOf } from './example.ts';
import { createTestAnnouncement, TEST_TYPE, testAnnouncementSchema } from './test-announcement.ts';

/** Headers of Standard Webhooks, by their names in the document. */
const headers = {
  WebhookId: ['webhook-id', 'Id of the announcement, the same in every attempt.'],
  WebhookTimestamp: ['webhook-timestamp', 'Time of the attempt, in seconds since the epoch.'],
  WebhookSignature: ['webhook-signature', '`v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`.'],
} as const;

/** Describes the announcements as webhooks of an OpenAPI document, one for each type, with the components that they refer to. */
export function describeWebhooks() {
  return {
    webhooks: {
      ...Object.fromEntries(
        [...announcementTypes].map(([type, { words }]) => [type, describeWebhook(type, words, contentOf(type))]),
      ),
      [TEST_TYPE]: describeWebhook(TEST_TYPE, 'A test of the connection.', contentOfTest()),
    },
    parameters: Object.fromEntries(
      Object.entries(headers).map(([key, [name, description]]) => [
        key,
        { name, in: 'header', required: true, description, schema: { type: 'string' } },
      ]),
    ),
    schemas: componentSchemas({
      ...{ Announcement: announcementSchema, AnnouncementData: announcementData, Record: record },
      TestAnnouncement: testAnnouncementSchema,
    }),
  };
}

const contentOf = (type: AnnouncementType) => ({
  schema: { $ref: schemaRef('Announcement'), properties: { type: { const: type } } },
  example: JSON.parse(exampleOf(type)),
});

const contentOfTest = () => ({
  schema: { $ref: schemaRef('TestAnnouncement') },
  example: { ...JSON.parse(createTestAnnouncement('9104', Date.UTC(2026, 1, 11)).body), id: 'test/1' },
});

function describeWebhook(type: string, description: string, content: object) {
  return {
    post: {
      ...{ summary: `Announces ${type}`, description, security: [] },
      parameters: Object.keys(headers).map((key) => ({ $ref: `#/components/parameters/${key}` })),
      requestBody: { required: true, content: { 'application/cloudevents+json': content } },
      responses: { '2XX': { description: 'Acknowledges the announcement, which is then not sent again.' } },
    },
  };
}
