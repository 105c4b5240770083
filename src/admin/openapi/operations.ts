import { z } from 'zod';
import type { Role } from '../access.ts';
import { bulkBody } from '../bulk/filters.ts';
import {
  bulkQuery,
  eraseBody,
  idParams,
  quarantinedEventsQuery,
  schemaParams,
  searchQuery,
  subjectParams,
  subjectsQuery,
} from '../queries.ts';
import type { List } from '../views/list.ts';
import { lists } from '../views/lists.ts';

/** Call of the administrative API. */
export interface ApiOperation {
  readonly id: string;
  readonly summary: string;
  /** Role of the token, if it is not `read` for a GET and `act` for a POST. */
  readonly role?: Role;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Name of the answer for each status of success. */
  readonly answers: Readonly<Record<number, string>>;
  /** Statuses of problems, besides those of every call. */
  readonly problems?: readonly number[];
}

const subject = { params: subjectParams };

const row = { params: idParams };

const announcement = {
  params: z.object({ id: z.string().describe('Id of the announcement, such as `order:9104:31004581/5/packed`.') }),
};

/** Describes the call of a list, such as `listAudit` of `/audit`. */
const describeList = ({ path, summary, query, names }: List): ApiOperation => ({
  id: `list${path.charAt(1).toUpperCase()}${path.slice(2)}`,
  summary,
  query,
  answers: { 200: names.page },
});

/** Every call of the administrative API. */
export const operations: Readonly<Record<`${'GET' | 'POST'} /${string}`, ApiOperation>> = {
  'GET /status': { id: 'getStatus', summary: 'Counts what waits, fails or is quarantined', answers: { 200: 'Status' } },
  'GET /subjects': {
    id: 'listSubjects',
    summary: 'Lists subjects',
    query: subjectsQuery,
    answers: { 200: 'SubjectPage' },
  },
  'GET /search': {
    id: 'search',
    summary: 'Finds subjects by an id, a reference number, a customer or an event',
    query: searchQuery,
    answers: { 200: 'FoundSubjects' },
  },
  'GET /subjects/{tenant}/{kind}/{id}': {
    id: 'getSubject',
    summary: 'Shows a subject with its lifecycle and announcements',
    ...subject,
    answers: { 200: 'ShownSubject' },
    problems: [404],
  },
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
  'GET /quarantine': {
    id: 'listQuarantine',
    summary: 'Lists quarantined deliveries, or counts them by reason',
    query: quarantinedEventsQuery,
    answers: { 200: 'QuarantinePage' },
  },
  'GET /quarantine/{id}': {
    id: 'getQuarantined',
    summary: 'Shows a quarantined delivery with its body',
    role: 'bodies',
    ...row,
    answers: { 200: 'ShownQuarantinedEvent' },
    problems: [404],
  },
  'POST /quarantine/{id}/replay': {
    id: 'replayQuarantined',
    summary: 'Processes a quarantined delivery again',
    ...row,
    answers: { 200: 'Replayed' },
    problems: [404],
  },
  'GET /announcements/{id}': {
    id: 'getAnnouncement',
    summary: 'Shows an announcement with its body',
    role: 'bodies',
    ...announcement,
    answers: { 200: 'ShownAnnouncement' },
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
  ...Object.fromEntries(lists.map((list) => [`GET ${list.path}`, describeList(list)])),
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
