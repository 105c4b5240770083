import { announcementView } from './announcement.ts';
import { announcementList } from './announcements.ts';
import { auditList } from './audit.ts';
import { quarantineList } from './quarantine.ts';
import type { View } from './view.ts';
import { quarantinedView, webhookView } from './webhook.ts';

/** Everything that people look at. */
export const views: readonly View[] = [
  quarantineList,
  quarantinedView,
  webhookView,
  announcementList,
  announcementView,
  auditList,
];
