import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { found } from '../http/problem.ts';
import type { Database } from '../store/schema.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import { showBody } from './presentation.ts';
import { announcementParams } from './queries.ts';
import { findAnnouncement } from './views/announcements.ts';

/** Dependencies of the announcement routes. */
export interface AnnouncementRoutesDeps {
  readonly reads: Kysely<Database>;
  readonly actions: Actions;
}

const PATH = '/announcements/:subject/:revision/:milestone';

/** Adds `GET /announcements/{id}` and `POST /announcements/{id}/resend`. */
export function announcementRoutes(app: FastifyInstance, { reads, actions }: AnnouncementRoutesDeps): void {
  app.get(PATH, needs.bodies, async ({ params }): Promise<Answer<'ShownAnnouncement'>> => {
    const { body, ...announcement } = await find(params);
    return { ...announcement, ...showBody(body) };
  });

  app.post(`${PATH}/resend`, needs.act, async (request, reply): Promise<Answer<'Resent'>> => {
    await actions.resend(await find(request.params), actorOf(request));
    reply.code(202);
    return { asked: 1 };
  });

  async function find(params: unknown) {
    return found(await findAnnouncement(reads, announcementParams.parse(params)), 'The announcement does not exist.');
  }
}
