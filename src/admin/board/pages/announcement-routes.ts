import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { found } from '../../../http/problem.ts';
import type { Database } from '../../../store/schema.ts';
import { callerOf, needs } from '../../access.ts';
import { announcementParams } from '../../queries.ts';
import { findAnnouncement } from '../../views/announcements.ts';
import type { Respond } from '../responder.ts';
import { announcementPage } from './announcement.ts';
import { sendFile } from './body.ts';
import { doneQuery } from './queries.ts';

/** Dependencies of the pages of announcements. */
export interface AnnouncementRoutesDeps {
  readonly reads: Kysely<Database>;
}

const PATH = '/announcements/:subject/:revision/:milestone';

/** Adds the page of one announcement. */
export function announcementRoutes(app: FastifyInstance, { reads }: AnnouncementRoutesDeps, respond: Respond): void {
  const find = async (params: unknown) => found(await findAnnouncement(reads, announcementParams.parse(params)));

  app.get(PATH, needs.read, async (request, reply) => {
    const { done } = doneQuery.parse(request.query);
    return respond(reply, announcementPage(await find(request.params), { caller: callerOf(request), done }));
  });

  app.get(`${PATH}/body`, needs.bodies, async ({ params }, reply) => {
    const { id, body } = await find(params);
    return sendFile(reply, `${id}.json`, body);
  });
}
