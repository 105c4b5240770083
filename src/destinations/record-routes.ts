import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { needs } from '../admin/access.ts';
import { announcementParams, askedBy } from '../admin/call.ts';
import { explained, text } from '../admin/queries.ts';
import { singleFlight } from '../base/loop.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { type Permitted, permit } from '../domain/permission.ts';
import type { DestinationFilter, IdentityRef } from '../domain/routing.ts';
import { createMatcher, readCredentials } from '../http/credentials.ts';
import { createSignIns } from '../http/peers.ts';
import { found, Problem } from '../http/problem.ts';
import type { Database } from '../store/schema.ts';
import { recordIn } from './announcements/announced-data.ts';
import type { ManagedDestinations } from './managed-destinations.ts';
import { findRouted } from './tables/announcements.ts';
import { knownDestinations } from './tables/destinations.ts';

const HOLDS_MS = 1000;

interface Holder extends IdentityRef {
  readonly filter: DestinationFilter;
}

export type RecordAccess = ReturnType<typeof createRecordAccess>;

export function createRecordAccess(reads: Kysely<Database>, managed: Pick<ManagedDestinations, 'recordsAccessIn'>) {
  const known = singleFlight(HOLDS_MS, async () =>
    (await knownDestinations(reads)).flatMap((it) => {
      const { tenant, id } = it;
      const access = managed.recordsAccessIn(it);
      if (!access) return [];
      return [{ holder: { tenant, id, filter: access.filter }, matches: createMatcher(access.tokens) }];
    }),
  );

  return {
    async find(id: string, holders: readonly Holder[]): Promise<Permitted<{ readonly body: string }> | undefined> {
      const found = await findRouted(reads, id);
      if (!found) return undefined;
      const receivers = holders.filter(({ tenant, id }) => tenant === found.tenant && found.identities.includes(id));
      return receivers.flatMap(({ filter }) => permit(filter, found) ?? [])[0];
    },
    /** The search for a token's destinations compares in constant time. */
    async holdersOf() {
      const all = await known.read();
      return (token: string): readonly Holder[] | undefined => {
        const holders = all.filter(({ matches }) => matches(token)).map(({ holder }) => holder);
        return holders.length > 0 ? holders : undefined;
      };
    },
  };
}

export const recordParams = announcementParams.extend({
  member: explained(text, 'Member of its `data`.', mainKind),
});

export function recordRoutes(
  app: FastifyInstance,
  { holdersOf, find }: RecordAccess,
  answer: (error: unknown, reply: FastifyReply) => FastifyReply,
): void {
  // Wrong tokens from outside must not lock out operators behind the same proxy.
  const signIns = createSignIns();
  app.setErrorHandler((error, _request, reply) => answer(error, reply));

  async function holdersIn({ ip, headers }: FastifyRequest): Promise<readonly Holder[]> {
    const token = readCredentials('Bearer', headers.authorization);
    const search = token === undefined ? undefined : await holdersOf();
    const holders = search && signIns.check(ip, () => search(token ?? ''));
    if (holders) return holders;
    throw new Problem(401, 'The bearer token is missing or wrong.');
  }

  app.get('/records/:subject/:revision/:milestone/:member', needs.receiver, async (request, reply) => {
    const holders = await holdersIn(request);
    const { id, member } = recordParams.parse(Object.assign({}, request.params, askedBy(request).params));
    const announcement = found(await find(id, holders), 'There is no such announcement of yours.');
    if (announcement.body === '') throw new Problem(410, 'The announcement is no longer kept: its retention is over.');
    const record = found(recordIn(announcement, member), 'The announcement was recorded without such a record.');
    return reply.type('application/json').send(Buffer.from(record));
  });
}
