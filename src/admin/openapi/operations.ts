import { actions } from '../actions.ts';
import { bulkBody } from '../bulk/filters.ts';
import type { Call } from '../call.ts';
import { idParams, schemaParams } from '../queries.ts';
import { recordParams } from '../record-routes.ts';
import { views } from '../views/views.ts';

/** Call as the table below has it: its role is `read` for a GET and `act` for a POST by default. */
export type ApiOperation = Omit<Call, 'method' | 'path' | 'role' | 'schemas'> &
  Partial<Pick<Call, 'role'>> & {
    /** It is for receivers, with the token of a destination. */
    readonly isForReceivers?: true;
  };

const row = { params: idParams };

/** Calls of views and actions. */
export const calls: readonly Call[] = [...views.flatMap(({ call }) => call ?? []), ...actions];

/** Every call of the administrative API. */
export const operations: Readonly<Record<`${'GET' | 'POST'} /${string}`, ApiOperation>> = {
  'POST /bulk': {
    id: 'previewBulk',
    summary: 'Counts everything that a filter names now, and does nothing to it',
    body: bulkBody,
    answers: { 201: 'ShownBulk' },
    problems: [409],
  },
  'POST /bulk/{id}/confirm': {
    id: 'confirmBulk',
    summary: 'Starts what was previewed, once',
    ...row,
    answers: { 202: 'ShownBulk' },
    problems: [404, 409],
  },
  'POST /bulk/{id}/cancel': {
    id: 'cancelBulk',
    summary: 'Ends a bulk action after the items in progress',
    ...row,
    answers: { 200: 'ShownBulk' },
    problems: [404],
  },
  ...Object.fromEntries(calls.map((call) => [`${call.method} ${call.path}`, call])),
  'GET /schemas/{type}': {
    id: 'getSchema',
    summary: 'Returns the JSON Schema of the `data` of announcements',
    params: schemaParams,
    answers: { 200: 'JsonSchema' },
    problems: [404],
  },
  'GET /records/{id}/{member}': {
    id: 'getRecord',
    summary: 'Returns a record that a receiver got an announcement without, as it was recorded',
    isForReceivers: true,
    params: recordParams,
    answers: { 200: 'Record' },
    problems: [404, 410],
  },
  'GET /openapi.json': { id: 'getOpenApi', summary: 'Returns this document', answers: { 200: 'OpenApiDocument' } },
};
