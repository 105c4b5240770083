import type { FastifyInstance } from 'fastify';
import { subjectKey } from '../domain/catalogue/subject.ts';
import { Problem } from '../http/problem.ts';
import type { AnnouncementLists, ListedAnnouncement, SubjectControl } from './ports.ts';
import { pageOf, showAnnouncement, showBody } from './presentation.ts';
import { announcementParams, announcementsQuery, resendBody } from './queries.ts';

/** What the resource of announcements works with. */
export interface AnnouncementRoutesDeps {
  readonly announcements: AnnouncementLists;
  readonly control: Pick<SubjectControl, 'wake'>;
}

const PATH = '/announcements/:subject/:revision/:milestone';

/** How many workflows are spoken to at once. */
const LANES = 16;

/** `GET /announcements`, `GET /announcements/{id}`, `POST /announcements/{id}/resend`, `POST /announcements/resend`. */
export function announcementRoutes(app: FastifyInstance, { announcements, control }: AnnouncementRoutesDeps): void {
  app.get('/announcements', async ({ query }) => {
    const { after, limit, ...filter } = announcementsQuery.parse(query);
    const rows = await announcements.list(filter, { limit, ...(after && { after }) });
    const at = (row: ListedAnnouncement) => (filter.state === 'dead-lettered' && row.deadLetteredAt) || row.createdAt;
    return pageOf(rows, limit, { show: showAnnouncement, placeOf: (row) => `${at(row)}.${row.id}` });
  });

  app.get(PATH, async ({ params }) => {
    const { body, ...announcement } = await find(params);
    return { ...showAnnouncement(announcement), ...showBody(body) };
  });

  app.post(`${PATH}/resend`, async ({ params }, reply) => {
    const { id, subject, state } = await find(params);
    if (state === 'sent') throw new Problem(409, 'The destination has acknowledged it.');
    await announcements.requeue([id]);
    await control.wake(subject);
    reply.code(202);
    return { asked: 1 };
  });

  app.post('/announcements/resend', async ({ body }, reply) => {
    const { since, after, limit } = resendBody.parse(body ?? {});
    const rows = await announcements.deadLetteredSince(since, { limit, ...(after && { after }) });
    if (rows.length > 0) await announcements.requeue(rows.map(({ id }) => id));
    await wakeAll(rows, control);
    reply.code(202);
    const placeOf = ({ subject, revision }: ListedAnnouncement) => `${subjectKey(subject)}/${revision}`;
    const { items, next } = pageOf(rows, limit, { show: ({ id }) => id, placeOf });
    return { asked: items.length, next };
  });

  async function find(params: unknown) {
    const found = await announcements.find(announcementParams.parse(params));
    if (found) return found;
    throw new Problem(404, 'There is no such announcement.');
  }
}

/** Wakes each subject once. */
async function wakeAll(
  rows: readonly ListedAnnouncement[],
  { wake }: AnnouncementRoutesDeps['control'],
): Promise<void> {
  const subjects = new Map(rows.map(({ subject }) => [subjectKey(subject), subject]));
  const waiting = subjects.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const subject of waiting) {
      if (failures.length === 0) await wake(subject).catch((error: unknown) => failures.push(error));
    }
  };
  // What fails keeps the rest from being tried, and no call is under way any more when it is told.
  await Promise.all(Array.from({ length: LANES }, work));
  if (failures.length > 0) throw failures[0];
}
