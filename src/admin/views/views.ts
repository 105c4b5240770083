import { messageList } from './alert-messages.ts';
import { alertsView } from './alerts.ts';
import { announcementView } from './announcement.ts';
import { announcementList } from './announcements.ts';
import { auditList } from './audit.ts';
import { bulkList } from './bulk/list.ts';
import { bulkPageView, bulkView } from './bulk/view.ts';
import { destinationView } from './destination.ts';
import { destinationList } from './destinations.ts';
import { documentView } from './documents.ts';
import { eventNamesView } from './event-names.ts';
import { incidentsView } from './incidents/view.ts';
import { leadTimesView } from './lead-times/view.ts';
import { nowView } from './now/view.ts';
import { quarantineList } from './quarantine.ts';
import { searchView } from './search.ts';
import { statusView } from './status.ts';
import { subjectView } from './subject/view.ts';
import { subjectList } from './subjects.ts';
import { systemView } from './system.ts';
import type { View } from './view.ts';
import { quarantinedView, webhookView } from './webhook.ts';
import { webhookList } from './webhooks.ts';

/** Everything that people look at. */
export const views: readonly View[] = [
  nowView,
  systemView,
  statusView,
  incidentsView,
  subjectList,
  leadTimesView,
  searchView,
  subjectView,
  webhookList,
  quarantineList,
  eventNamesView,
  quarantinedView,
  webhookView,
  announcementList,
  announcementView,
  destinationList,
  destinationView,
  alertsView,
  messageList,
  auditList,
  bulkList,
  bulkView,
  bulkPageView,
  documentView,
];
