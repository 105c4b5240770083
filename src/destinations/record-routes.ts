import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { needs } from '../admin/access.ts';
import { announcementParams, askedBy } from '../admin/call.ts';
import { explained, text } from '../admin/queries.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { readCredentials } from '../http/credentials.ts';
import { found, Problem } from '../http/problem.ts';
import { createSignIns } from '../http/sign-ins.ts';
import type { Holder, RecordAccess } from './record-access.ts';

export const recordParams = announcementParams.extend({
  member: explained(text, 'Member of its `data`.', mainKind),
});

const memberParam = z.object({ member: text });

/** `GET /records/{id}/{member}`, for receivers. Operators' tokens do not count. */
export function recordRoutes(
  app: FastifyInstance,
  { holdersOf, find, recordIn }: RecordAccess,
  answer: (error: unknown, reply: FastifyReply) => FastifyReply,
): void {
  // Wrong tokens from outside must not lock out operators behind the same proxy.
  const signIns = createSignIns();
  app.setErrorHandler((error, _request, reply) => answer(error, reply));

  /** @throws Problem 401, or 429 after many wrong tokens */
  async function holdersIn({ ip, headers }: FastifyRequest): Promise<readonly Holder[]> {
    const token = readCredentials('Bearer', headers.authorization);
    const search = token === undefined ? undefined : await holdersOf();
    const holders = search && signIns.check(ip, () => some(search(token ?? '')));
    if (holders) return holders;
    throw new Problem(401, 'The bearer token is missing or wrong.');
  }

  app.get('/records/:subject/:revision/:milestone/:member', needs.receiver, async (request, reply) => {
    const holders = await holdersIn(request);
    const { id } = announcementParams.parse(askedBy(request).params);
    const { member } = memberParam.parse(request.params);
    const announcement = found(await find(id, holders), 'There is no such announcement of yours.');
    if (announcement.body === '') throw new Problem(410, 'The announcement is no longer kept: its retention is over.');
    const record = found(recordIn(announcement, member), 'The announcement was recorded without such a record.');
    return reply.type('application/json').send(Buffer.from(record));
  });
}

const some = <T>(all: readonly T[]): readonly T[] | undefined => (all.length > 0 ? all : undefined);
