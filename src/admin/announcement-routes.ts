import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import { announcementParams, askedBy, routeOf } from './call.ts';
import { findAnnouncement } from './views/announcements.ts';
import type { Sources } from './views/view.ts';

/** Dependencies of the announcement routes. */
export interface AnnouncementRoutesDeps extends Pick<Sources, 'reads'> {
  readonly actions: Actions;
}

/** Adds `POST /announcements/{id}/resend`. */
export function announcementRoutes(app: FastifyInstance, { reads, actions }: AnnouncementRoutesDeps): void {
  app.post(routeOf('/announcements/{id}/resend'), needs.act, async (request, reply): Promise<Answer<'Resent'>> => {
    const { id } = announcementParams.parse(askedBy(request).params);
    await actions.resend(await findAnnouncement({ reads }, id), actorOf(request));
    reply.code(202);
    return { asked: 1 };
  });
}
