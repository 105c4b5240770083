import { announcementSchema, CONTRACT_VERSION } from '../../src/destinations/announcements/cloud-event.ts';
import { type JsonSchema, standaloneSchema } from '../../src/http/json-schema.ts';

/** Describes a whole announcement, of any type, as a JSON Schema for receivers in any language. */
export const describeAnnouncement = (): JsonSchema => ({
  ...standaloneSchema(announcementSchema),
  $id: `urn:dockline:announcement:${CONTRACT_VERSION}`,
  title: 'Announcement',
});
