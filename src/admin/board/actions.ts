import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { Problem } from '../../http/problem.ts';
import type { Logger } from '../../observability/logger.ts';
import { resend } from '../announcement-routes.ts';
import type { AnnouncementLists, QuarantinedEventFilter, SubjectControl, SubjectLists } from '../ports.ts';
import { announcementParams, subjectParams } from '../queries.ts';
import { ownAddress } from './access.ts';
import { subjectAddress } from './addresses.ts';
import { found } from './pages/found.ts';
import { deliveryParams } from './pages/queries.ts';

/** Dependencies of the actions. */
export interface ActionDeps {
  readonly subjects: SubjectLists;
  readonly announcements: AnnouncementLists;
  readonly control: Pick<SubjectControl, 'refresh' | 'release' | 'wake'>;
  readonly replay: (filter: QuarantinedEventFilter) => Promise<number>;
  readonly logger: Logger;
}

const returning = z.object({ back: z.string().optional() }).nullish();

/** Adds what a reader can do to one order, announcement or delivery. Each answers with the page that the form is on. */
export function actionRoutes(
  app: FastifyInstance,
  { subjects, announcements, control, replay, logger }: ActionDeps,
): void {
  const subjectOf = async (params: unknown): Promise<SubjectRef> => {
    const { tenant, kind, id } = found(await subjects.find(subjectParams.parse(params)));
    return { tenant, kind, id };
  };

  app.post('/subjects/:tenant/:kind/:id/refresh', async ({ params }, reply) => {
    const subject = await subjectOf(params);
    const view = await control.refresh(subject);
    return reply.redirect(`${subjectAddress(subject)}?done=${view ? 'refreshed' : 'refreshing'}`, 303);
  });

  app.post('/subjects/:tenant/:kind/:id/release', async ({ params }, reply) => {
    const subject = await subjectOf(params);
    if (await control.release(subject, 'the board'))
      return reply.redirect(`${subjectAddress(subject)}?done=released`, 303);
    throw new Problem(409, 'It has no running workflow, so it has no mark to clear.');
  });

  app.post('/announcements/:subject/:revision/:milestone/resend', async ({ params, body }, reply) => {
    const announcement = found(await announcements.find(announcementParams.parse(params)));
    if (announcement.state === 'sent') throw new Problem(409, 'The destination has acknowledged the announcement.');
    await resend([announcement], { announcements, control, logger });
    return reply.redirect(`${ownAddress(returning.parse(body)?.back)}?done=resent`, 303);
  });

  app.post('/quarantine/:id/replay', async ({ params }, reply) => {
    const { id } = deliveryParams.parse(params);
    const ingested = await replay({ id });
    return reply.redirect(`/board/deliveries/${id}?done=${ingested > 0 ? 'replayed' : 'not-replayed'}`, 303);
  });
}
