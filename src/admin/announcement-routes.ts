import type { FastifyInstance } from 'fastify';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { AnnouncementLists, ListedAnnouncement } from './ports.ts';
import { pageOf, showAnnouncement, showBody } from './presentation.ts';
import { announcementParams, announcementsQuery } from './queries.ts';

/** Dependencies of the announcement routes. */
export interface AnnouncementRoutesDeps {
  readonly announcements: AnnouncementLists;
  readonly actions: Actions;
}

const PATH = '/announcements/:subject/:revision/:milestone';

/** Adds `GET /announcements`, `GET /announcements/{id}` and `POST /announcements/{id}/resend`. */
export function announcementRoutes(app: FastifyInstance, { announcements, actions }: AnnouncementRoutesDeps): void {
  app.get('/announcements', needs.read, async ({ query }): Promise<Answer<'AnnouncementPage'>> => {
    const { after, limit, ...filter } = announcementsQuery.parse(query);
    const rows = await announcements.list(filter, { limit, ...(after && { after }) });
    const at = (row: ListedAnnouncement) => (filter.state === 'dead-lettered' && row.deadLetteredAt) || row.createdAt;
    return pageOf(rows, limit, { show: showAnnouncement, placeOf: (row) => `${at(row)}.${row.id}` });
  });

  app.get(PATH, needs.bodies, async ({ params }): Promise<Answer<'ShownAnnouncement'>> => {
    const { body, ...announcement } = await find(params);
    return { ...showAnnouncement(announcement), ...showBody(body) };
  });

  app.post(`${PATH}/resend`, needs.act, async (request, reply): Promise<Answer<'Resent'>> => {
    await actions.resend(await find(request.params), actorOf(request));
    reply.code(202);
    return { asked: 1 };
  });

  async function find(params: unknown) {
    return found(await announcements.find(announcementParams.parse(params)), 'The announcement does not exist.');
  }
}
