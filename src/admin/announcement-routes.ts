import type { FastifyInstance } from 'fastify';
import { subjectKey } from '../domain/catalogue/subject.ts';
import { Problem } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import type { Answer } from './answers.ts';
import type { AnnouncementLists, ListedAnnouncement, SubjectControl } from './ports.ts';
import { pageOf, showAnnouncement, showBody } from './presentation.ts';
import { announcementParams, announcementsQuery, resendBody } from './queries.ts';

/** Dependencies of the announcement routes. */
export interface AnnouncementRoutesDeps {
  readonly announcements: AnnouncementLists;
  readonly control: Pick<SubjectControl, 'wake'>;
  readonly logger: Logger;
}

const PATH = '/announcements/:subject/:revision/:milestone';

/** Number of workflows that are woken in parallel. */
const LANES = 16;

/** Adds `GET /announcements`, `GET /announcements/{id}`, `POST /announcements/{id}/resend` and `POST /announcements/resend`. */
export function announcementRoutes(app: FastifyInstance, deps: AnnouncementRoutesDeps): void {
  const { announcements } = deps;

  app.get('/announcements', async ({ query }): Promise<Answer<'AnnouncementPage'>> => {
    const { after, limit, ...filter } = announcementsQuery.parse(query);
    const rows = await announcements.list(filter, { limit, ...(after && { after }) });
    const at = (row: ListedAnnouncement) => (filter.state === 'dead-lettered' && row.deadLetteredAt) || row.createdAt;
    return pageOf(rows, limit, { show: showAnnouncement, placeOf: (row) => `${at(row)}.${row.id}` });
  });

  app.get(PATH, async ({ params }): Promise<Answer<'ShownAnnouncement'>> => {
    const { body, ...announcement } = await find(params);
    return { ...showAnnouncement(announcement), ...showBody(body) };
  });

  app.post(`${PATH}/resend`, async ({ params }, reply): Promise<Answer<'Resent'>> => {
    const announcement = await find(params);
    if (announcement.state === 'sent') throw new Problem(409, 'The destination has acknowledged the announcement.');
    await resend([announcement], deps);
    reply.code(202);
    return { asked: 1 };
  });

  app.post('/announcements/resend', async ({ body }, reply): Promise<Answer<'ResentPage'>> => {
    const { since, after, limit } = resendBody.parse(body ?? {});
    const rows = await announcements.deadLetteredSince(since, { limit, ...(after && { after }) });
    await resend(rows, deps);
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

/** Queues announcements for sending and wakes their workflows; the patrol finds those that cannot be woken now. */
export async function resend(
  rows: readonly ListedAnnouncement[],
  { announcements, control, logger }: Pick<AnnouncementRoutesDeps, 'announcements' | 'control' | 'logger'>,
): Promise<void> {
  if (rows.length === 0) return;
  await announcements.requeue(rows.map(({ id }) => id));
  await wakeAll(rows, control).catch((err: unknown) =>
    logger.warn({ err }, 'could not wake the workflows of announcements to resend; the patrol will'),
  );
}

/** Wakes each subject once. Stops at the first failure, and rejects with it when no call is in progress. */
async function wakeAll(
  rows: readonly ListedAnnouncement[],
  { wake }: AnnouncementRoutesDeps['control'],
): Promise<void> {
  const subjects = new Map(rows.map(({ subject }) => [subjectKey(subject), subject])).values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const subject of subjects) {
      if (failures.length > 0) return;
      await wake(subject).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  if (failures.length > 0) throw failures[0];
}
