import type { FastifyInstance } from 'fastify';
import { subjectKey } from '../domain/catalogue/subject.ts';
import { Problem } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { AnnouncementLists, ListedAnnouncement, SubjectControl } from './ports.ts';
import { pageOf, showAnnouncement, showBody } from './presentation.ts';
import { announcementParams, announcementsQuery, resendBody } from './queries.ts';
import { resend } from './resend.ts';

/** Dependencies of the announcement routes. */
export interface AnnouncementRoutesDeps {
  readonly announcements: AnnouncementLists;
  readonly actions: Actions;
  readonly control: Pick<SubjectControl, 'wake'>;
  readonly logger: Logger;
}

const PATH = '/announcements/:subject/:revision/:milestone';

/** Adds `GET /announcements`, `GET /announcements/{id}`, `POST /announcements/{id}/resend` and `POST /announcements/resend`. */
export function announcementRoutes(app: FastifyInstance, deps: AnnouncementRoutesDeps): void {
  const { announcements, actions } = deps;

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

  app.post('/announcements/resend', needs.act, async (request, reply): Promise<Answer<'ResentPage'>> => {
    const { since, after, limit } = resendBody.parse(request.body ?? {});
    const rows = await announcements.deadLetteredSince(since, { limit, ...(after && { after }) });
    await actions.all('resend', { since }, actorOf(request), () => resend(rows, deps));
    reply.code(202);
    const placeOf = ({ subject, revision }: ListedAnnouncement) => `${subjectKey(subject)}/${revision}`;
    const { items, next } = pageOf(rows, limit, { show: ({ id }) => id, placeOf });
    return { asked: items.length, next };
  });

  async function find(params: unknown) {
    const found = await announcements.find(announcementParams.parse(params));
    if (found) return found;
    throw new Problem(404, 'The announcement does not exist.');
  }
}
