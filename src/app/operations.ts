import type { Call, Operations } from '../admin/call.ts';
import { idParams, schemaParams } from '../admin/queries.ts';
import { bulkBody } from '../bulk/filters.ts';
import { recordParams } from '../destinations/record-routes.ts';
import { actions } from './actions.ts';
import { views } from './views.ts';

const row = { params: idParams };

/** Calls of views and actions. */
export const calls: readonly Call[] = [...views.flatMap(({ call }) => call ?? []), ...actions];

/** Every call of the administrative API. */
export const operations: Operations = {
  'POST /bulk': {
    id: 'previewBulk',
    summary: 'Previews a bulk action: counts what a filter matches, and changes nothing',
    tag: 'Bulk actions',
    description:
      'The first of two steps: it freezes the list of items that match now and shows the first of them, without touching any. Confirm it within a quarter of an hour. 409 if the filter matches more than 100,000 items; a filter of another action is answered 400.',
    body: bulkBody,
    answers: { 201: 'ShownBulk' },
    problems: [409],
  },
  'POST /bulk/{id}/confirm': {
    id: 'confirmBulk',
    summary: 'Starts a bulk action that was previewed',
    tag: 'Bulk actions',
    description:
      'The second step. Items are worked through in the background, a few at a time, also after a restart; follow them with `GET /bulk/{id}`. Confirming twice changes nothing. 404 if there is no such preview, 409 if it was canceled or has expired.',
    ...row,
    answers: { 202: 'ShownBulk' },
    problems: [404, 409],
  },
  'POST /bulk/{id}/cancel': {
    id: 'cancelBulk',
    summary: 'Ends a bulk action after the items in progress',
    tag: 'Bulk actions',
    description:
      'Stops a bulk action; what it has done stays done. Canceling a finished one changes nothing. 404 if there is no such bulk action.',
    ...row,
    answers: { 200: 'ShownBulk' },
    problems: [404],
  },
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
    tag: 'Receivers',
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
