import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Role } from './access.ts';
import type { SavedView } from './board/saved-views.ts';
import { explained, text } from './queries.ts';

/** Groups of calls, with what they are about. */
export const tags = {
  Orders: 'Orders, receipts, stock and other subjects: where they stand, and what people do to them.',
  Webhooks: 'What the warehouse sent, and what of it was not understood.',
  Announcements: 'What Dockline sends, for each destination.',
  Receivers: 'Destinations of announcements, and what their receivers fetch.',
  'Bulk actions': 'Actions on everything that a filter matches, in two steps.',
  Alerts: 'Who was notified of what, and what is silenced.',
  Operations: 'Health, the audit log, backups and this document.',
} as const;

type Tag = keyof typeof tags;

/** Call of the administrative API, as its OpenAPI document has it. */
export interface Call {
  readonly method: 'GET' | 'POST';
  /** Path with its parameters in braces. */
  readonly path: `/${string}`;
  readonly id: string;
  /** Sentence without a period: what it does. */
  readonly summary: string;
  readonly tag: Tag;
  /** Sentences: when to use it, what it does beyond the summary, and what it is refused with. */
  readonly description: string;
  readonly role: Role;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Name of the answer for each status of success. */
  readonly answers: Readonly<Record<number, string>>;
  /** Schemas by the names that they have in the document: its answers, and their parts. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  /** Present if it answers with comma-separated values, too. */
  readonly csv?: unknown;
  /** Members of a row of its list that the command shows, the first ones first if there is no room for all. */
  readonly columns?: readonly string[];
  /** Statuses of problems, besides those of every call. */
  readonly problems?: readonly number[];
}

/** Path parameters and query of a request, not parsed yet. */
export interface Asked {
  readonly params: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  /** Views that the browser keeps. */
  readonly views?: readonly SavedView[];
}

/** Path parameters of an announcement. */
export const announcementParams = z.object({
  id: explained(z.string(), 'Id of the announcement, with its slashes.', 'order:9104:31004581/5/packed'),
});

/** Its id is three parameters of Fastify, which takes no slash for one. */
const parts = z.object({ subject: text, revision: text, milestone: text });

/** Returns the route of Fastify for a path. */
export const routeOf = (path: string): string =>
  path.replace('/announcements/{id}', '/announcements/:subject/:revision/:milestone').replaceAll(/\{(\w+)\}/g, ':$1');

/** Returns what a request asks for. */
export function askedBy({ params, query, routeOptions }: FastifyRequest): Asked {
  const asked = query as Asked['query'];
  if (!routeOptions.url?.includes(':milestone')) return { params, query: asked };
  const { subject, revision, milestone } = parts.parse(params);
  return { params: { id: `${subject}/${revision}/${milestone}` }, query: asked };
}

/** Call as {@link Operations} have it: its role is `read` for a GET and `act` for a POST by default. */
export type ApiOperation = Omit<Call, 'method' | 'path' | 'role' | 'schemas'> &
  Partial<Pick<Call, 'role'>> & {
    /** It is for receivers, with the token of a destination. */
    readonly isForReceivers?: true;
  };

/** Every call of the API, by its method and path. */
export type Operations = Readonly<Record<`${'GET' | 'POST'} /${string}`, ApiOperation>>;
