import type { FastifyInstance } from 'fastify';
import { found } from '../../../http/problem.ts';
import { callerOf, needs } from '../../access.ts';
import type { AnnouncementLists, ListedAnnouncement } from '../../ports.ts';
import { announcementParams } from '../../queries.ts';
import { listAddress } from '../addresses.ts';
import { livePage, type Respond } from '../responder.ts';
import { announcementPage, announcementsPage } from './announcement.ts';
import { sendFile } from './body.ts';
import { announcementsQuery, doneQuery, listPage, ROWS } from './queries.ts';

/** Dependencies of the pages of announcements. */
export interface AnnouncementRoutesDeps {
  readonly announcements: AnnouncementLists;
}

const lists = { '/announcements': 'unsent', '/dead-letters': 'dead-lettered' } as const;

const PATH = '/announcements/:subject/:revision/:milestone';

/** Adds the lists of announcements that have not arrived, and the page of one announcement. */
export function announcementRoutes(
  app: FastifyInstance,
  { announcements }: AnnouncementRoutesDeps,
  respond: Respond,
): void {
  const find = async (params: unknown) => found(await announcements.find(announcementParams.parse(params)));

  for (const [path, state] of Object.entries(lists)) {
    app.get(path, needs.read, async (request, reply) => {
      const { after, done } = announcementsQuery.parse(request.query);
      const rows = await announcements.list({ state }, { limit: ROWS, ...(after && { after }) });
      const page = listPage(rows, !after, (row) => listAddress(`/board${path}`, { after: placeOf(row, state) }));
      return respond(reply, livePage(announcementsPage, { ...page, state, done, caller: callerOf(request) }));
    });
  }

  app.get(PATH, needs.read, async (request, reply) => {
    const { done } = doneQuery.parse(request.query);
    return respond(reply, announcementPage(await find(request.params), { caller: callerOf(request), done }));
  });

  app.get(`${PATH}/body`, needs.bodies, async ({ params }, reply) => {
    const { id, body } = await find(params);
    return sendFile(reply, `${id}.json`, body);
  });
}

const placeOf = ({ id, deadLetteredAt, createdAt }: ListedAnnouncement, state: 'unsent' | 'dead-lettered'): string =>
  `${(state === 'dead-lettered' && deadLetteredAt) || createdAt}~${id}`;
