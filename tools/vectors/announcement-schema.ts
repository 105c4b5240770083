import {
  announcementSchema,
  CONTRACT_VERSION,
  type JsonSchema,
  standaloneSchema,
} from '../../src/destinations/announcements/cloud-event.ts';

/** Describes a whole announcement, of any type, as a JSON Schema for receivers in any language. */
export const describeAnnouncement = (): JsonSchema => ({
  ...standaloneSchema(announcementSchema),
  $id: `urn:dockline:announcement:${CONTRACT_VERSION}`,
  title: 'Announcement',
});
