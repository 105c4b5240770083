import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Role } from './access.ts';
import { explained, text } from './queries.ts';

export const tags = {
  Orders: 'Orders, receipts, stock and other subjects: where they stand, and what people do to them.',
  Webhooks: 'What the warehouse sent, and what of it was not understood.',
  Announcements: 'What Dockline sends, for each destination.',
  Destinations: 'Destinations of announcements, and what their receivers fetch.',
  'Bulk actions': 'Actions on everything that a filter matches, in two steps.',
  Alerts: 'Who was notified of what, and what is silenced.',
  Operations: 'Health, the audit log and this document.',
} as const;

type Tag = keyof typeof tags;

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly id: string;
  /** Sentence without a period. */
  readonly summary: string;
  readonly tag: Tag;
  readonly description: string;
  readonly role: Role;
  readonly keepsLimits?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answers: Readonly<Record<number, string>>;
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly csv?: unknown;
  /** Shown by the command, the first ones first if there is no room for all. */
  readonly columns?: readonly string[];
  readonly problems?: readonly number[];
}

export interface Asked {
  readonly params: unknown;
  readonly query: Readonly<Record<string, unknown>>;
}

export const announcementParams = z.object({
  id: explained(z.string(), 'Id of the announcement, with its slashes.', 'order:9104:31004581/5/packed'),
});

/** Fastify's parameters take no slash, so an id is three of them. */
const parts = z.object({ subject: text, revision: text, milestone: text });

export const routeOf = (path: string): string =>
  path.replace('/announcements/{id}', '/announcements/:subject/:revision/:milestone').replaceAll(/\{(\w+)\}/g, ':$1');

export function askedBy({ params, query, routeOptions }: FastifyRequest): Asked {
  const asked = query as Asked['query'];
  if (!routeOptions.url?.includes(':milestone')) return { params, query: asked };
  const { subject, revision, milestone } = parts.parse(params);
  return { params: { id: `${subject}/${revision}/${milestone}` }, query: asked };
}

/** Default role: `read` for a GET, `act` for a POST. */
export type ApiOperation = Omit<Call, 'method' | 'path' | 'role' | 'schemas'> &
  Partial<Pick<Call, 'role'>> & {
    readonly isForReceivers?: true;
  };

export type Operations = Readonly<Record<`${'GET' | 'POST'} /${string}`, ApiOperation>>;
