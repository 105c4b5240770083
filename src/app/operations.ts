import type { Call, Operations } from '../admin/call.ts';
import { schemaParams } from '../admin/queries.ts';
import { recordParams } from '../destinations/record-routes.ts';
import { actions } from './actions.ts';
import { views } from './views.ts';

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
