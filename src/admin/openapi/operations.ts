import { bulkBody } from '../bulk/filters.ts';
import { announcementParams, type Call } from '../call.ts';
import { bulkQuery, eraseBody, idParams, schemaParams } from '../queries.ts';
import { subjectParams } from '../views/subject/read.ts';
import { views } from '../views/views.ts';

/** Call as the table below has it: its role is `read` for a GET and `act` for a POST by default. */
export type ApiOperation = Omit<Call, 'method' | 'path' | 'role' | 'schemas'> & Partial<Pick<Call, 'role'>>;

const subject = { params: subjectParams };

const row = { params: idParams };

const announcement = { params: announcementParams };

/** Every call of the administrative API. */
export const operations: Readonly<Record<`${'GET' | 'POST'} /${string}`, ApiOperation>> = {
  'POST /subjects/{tenant}/{kind}/{id}/refresh': {
    id: 'refreshSubject',
    summary: 'Retrieves a subject now; 202 if that takes longer',
    ...subject,
    answers: { 200: 'SubjectView', 202: 'Accepted' },
    problems: [404, 409],
  },
  'POST /subjects/{tenant}/{kind}/{id}/release': {
    id: 'releaseSubject',
    summary: 'Clears the marks of a subject for attention',
    ...subject,
    answers: { 200: 'SubjectView' },
    problems: [404, 409],
  },
  'POST /subjects/{tenant}/{kind}/{id}/erase': {
    id: 'eraseSubject',
    summary: 'Erases what names people, or only counts it',
    ...subject,
    body: eraseBody,
    answers: { 200: 'Erased' },
    problems: [404, 409],
  },
  'POST /quarantine/{id}/replay': {
    id: 'replayQuarantined',
    summary: 'Processes a quarantined delivery again',
    ...row,
    answers: { 200: 'Replayed' },
    problems: [404],
  },
  'POST /announcements/{id}/resend': {
    id: 'resendAnnouncement',
    summary: 'Sends an announcement again',
    ...announcement,
    answers: { 202: 'Resent' },
    problems: [404, 409],
  },
  'GET /bulk': {
    id: 'listBulk',
    summary: 'Lists bulk actions, the newest first',
    query: bulkQuery,
    answers: { 200: 'BulkPage' },
  },
  'POST /bulk': {
    id: 'previewBulk',
    summary: 'Chooses everything that a filter names now, and does nothing to it',
    body: bulkBody,
    answers: { 201: 'ShownBulk' },
    problems: [409],
  },
  'GET /bulk/{id}': {
    id: 'getBulk',
    summary: 'Shows a bulk action with its progress and failures',
    ...row,
    answers: { 200: 'ShownBulk' },
    problems: [404],
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
  ...Object.fromEntries(views.flatMap(({ call }) => (call ? [[`${call.method} ${call.path}`, call]] : []))),
  'GET /schemas/{type}': {
    id: 'getSchema',
    summary: 'Returns the JSON Schema of the `data` of announcements',
    params: schemaParams,
    answers: { 200: 'JsonSchema' },
    problems: [404],
  },
  'POST /backup': {
    id: 'backUp',
    summary: 'Copies the SQLite store to a file in the data folder',
    answers: { 200: 'BackedUp' },
    problems: [409],
  },
  'GET /openapi.json': { id: 'getOpenApi', summary: 'Returns this document', answers: { 200: 'OpenApiDocument' } },
};
