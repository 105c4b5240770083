import { auditList } from '../admin/views/audit.ts';
import { documentView } from '../admin/views/documents.ts';
import type { View } from '../admin/views/view.ts';
import { alertsView } from '../alerts/views/alerts.ts';
import { messageList } from '../alerts/views/messages.ts';
import { bulkList } from '../bulk/views/list.ts';
import { bulkPageView, bulkView } from '../bulk/views/view.ts';
import { announcementView } from '../destinations/views/announcement.ts';
import { announcementList } from '../destinations/views/announcements.ts';
import { destinationView } from '../destinations/views/destination.ts';
import { destinationList } from '../destinations/views/destinations.ts';
import { incidentsView } from '../health/views/incidents/view.ts';
import { nowView } from '../health/views/now/view.ts';
import { statusView } from '../health/views/status.ts';
import { systemView } from '../health/views/system.ts';
import { eventNamesView } from '../inbox/views/event-names.ts';
import { quarantineList } from '../inbox/views/quarantine.ts';
import { webhookView } from '../inbox/views/webhook.ts';
import { webhookList } from '../inbox/views/webhooks.ts';
import { leadTimesView } from '../subjects/views/lead-times/view.ts';
import { subjectList } from '../subjects/views/list.ts';
import { searchView } from '../subjects/views/search.ts';
import { subjectView } from '../subjects/views/subject/view.ts';

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
