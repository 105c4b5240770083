import type { Action } from '../admin/action.ts';
import { documentView } from '../admin/board/documents.ts';
import type { Call, Operations } from '../admin/call.ts';
import { schemaParams } from '../admin/queries.ts';
import { auditList } from '../admin/views/audit.ts';
import type { View } from '../admin/views/view.ts';
import { type AlertParts, alertActions } from '../alerts/actions.ts';
import { alertsView } from '../alerts/views/alerts.ts';
import { actionsOnAll, type BulkParts } from '../bulk/actions.ts';
import { bulkView } from '../bulk/views/page.ts';
import { bulkList } from '../bulk/views/row.ts';
import { type DestinationParts, destinationActions } from '../destinations/actions.ts';
import { recordParams } from '../destinations/record-routes.ts';
import { announcementView } from '../destinations/views/announcement.ts';
import { announcementList } from '../destinations/views/announcements.ts';
import { destinationView } from '../destinations/views/destination.ts';
import { destinationList } from '../destinations/views/destinations.ts';
import { type HealthParts, healthActions } from '../health/acknowledgements.ts';
import { incidentsView } from '../health/views/incidents.ts';
import { nowView } from '../health/views/now/page.ts';
import { statusView } from '../health/views/status.ts';
import { systemView } from '../health/views/system.ts';
import { type NameParts, nameActions } from '../inbox/name-actions.ts';
import { type ReprocessParts, reprocessAction } from '../inbox/reprocess.ts';
import { eventNamesView } from '../inbox/views/event-names.ts';
import { quarantineList } from '../inbox/views/quarantine.ts';
import { webhookView } from '../inbox/views/webhook.ts';
import { webhookList } from '../inbox/views/webhooks.ts';
import { type SubjectParts, subjectActions } from '../subjects/actions.ts';
import { leadTimesView } from '../subjects/views/lead-times.ts';
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
  auditList,
  bulkList,
  bulkView,
  documentView,
];

export type ActionParts = SubjectParts &
  DestinationParts &
  ReprocessParts &
  NameParts &
  AlertParts &
  HealthParts &
  BulkParts;

export const actions: readonly Action<ActionParts>[] = [
  ...subjectActions,
  reprocessAction,
  ...destinationActions,
  ...alertActions,
  ...healthActions,
  ...nameActions,
  ...actionsOnAll,
];

export const calls: readonly Call[] = [...views.flatMap(({ call }) => call ?? []), ...actions];

export const operations: Operations = {
  ...Object.fromEntries(calls.map((call) => [`${call.method} ${call.path}`, call])),
  'GET /schemas/{type}': {
    id: 'getSchema',
    summary: 'Returns the JSON Schema of the `data` of announcements',
    tag: 'Announcements',
    description:
      'Use it to validate announcements or to generate types for a receiver. Its `$id` is the `dataschema` of these announcements. 404 if no announcement has this type.',
    params: schemaParams,
    answers: { 200: 'JsonSchema' },
    problems: [404],
  },
  'GET /records/{id}/{member}': {
    id: 'getRecord',
    summary: 'Returns a record that was left out of an announcement',
    tag: 'Destinations',
    description:
      'For receivers: fetches what an announcement left out because of its size or the `detail` of the destination, with the `recordsToken` of that destination. 404 if the announcement is not for this destination or has no such record, 410 once its retention is over.',
    isForReceivers: true,
    params: recordParams,
    answers: { 200: 'Record' },
    problems: [404, 410],
  },
  'GET /openapi.json': {
    id: 'getOpenApi',
    summary: 'Returns this document',
    tag: 'Operations',
    description:
      'Use it to generate a client. Clients should accept members that it does not name, since later versions may add some.',
    answers: { 200: 'OpenApiDocument' },
  },
};
