import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { found } from '../../http/problem.ts';
import { needs } from '../access.ts';
import type { Actions } from '../actions.ts';
import { actorOf } from '../audit.ts';
import type { AnnouncementLists, SubjectLists } from '../ports.ts';
import { announcementParams, subjectParams } from '../queries.ts';
import { ownAddress, subjectAddress } from './addresses.ts';
import { html, type Markup } from './html.ts';
import { deliveryParams } from './pages/queries.ts';

/** Dependencies of the forms. */
export interface ActionDeps {
  readonly subjects: SubjectLists;
  readonly announcements: AnnouncementLists;
  readonly actions: Actions;
}

const returning = z.object({ back: z.string().optional() }).nullish();

/** Adds the actions on one order, announcement or delivery. Each answers with the page of its form. */
export function actionRoutes(app: FastifyInstance, { subjects, announcements, actions }: ActionDeps): void {
  const subjectOf = async (params: unknown): Promise<SubjectRef> => {
    const { tenant, kind, id } = found(await subjects.find(subjectParams.parse(params)));
    return { tenant, kind, id };
  };

  app.post('/subjects/:tenant/:kind/:id/refresh', needs.act, async (request, reply) => {
    const subject = await subjectOf(request.params);
    const view = await actions.refresh(subject, actorOf(request));
    return reply.redirect(`${subjectAddress(subject)}?done=${view ? 'refreshed' : 'refreshing'}`, 303);
  });

  app.post('/subjects/:tenant/:kind/:id/release', needs.act, async (request, reply) => {
    const subject = await subjectOf(request.params);
    await actions.release(subject, actorOf(request));
    return reply.redirect(`${subjectAddress(subject)}?done=released`, 303);
  });

  app.post('/announcements/:subject/:revision/:milestone/resend', needs.act, async (request, reply) => {
    const announcement = found(await announcements.find(announcementParams.parse(request.params)));
    await actions.resend(announcement, actorOf(request));
    return reply.redirect(`${ownAddress(returning.parse(request.body)?.back)}?done=resent`, 303);
  });

  app.post('/quarantine/:id/replay', needs.act, async (request, reply) => {
    const { id } = deliveryParams.parse(request.params);
    const ingested = await actions.replay(id, actorOf(request));
    return reply.redirect(`/board/deliveries/${id}?done=${ingested > 0 ? 'replayed' : 'not-replayed'}`, 303);
  });
}

/** Sentences on the page after an action, by the word in its address. */
const notices: Readonly<Record<string, string>> = {
  refreshed: 'The warehouse was asked, and its answer is recorded.',
  refreshing: 'The warehouse is being asked. The answer appears here when it comes.',
  released: 'Its marks are cleared.',
  resent: 'The announcement is sent again.',
  replayed: 'The delivery was read again and is now understood.',
  'not-replayed': 'The delivery was read again. It is still not understood.',
};

/** Shows what was done. It stays until the reader leaves the page. */
export function notice(done: string | undefined): Markup | null {
  const text = done === undefined || !Object.hasOwn(notices, done) ? undefined : notices[done];
  return text === undefined ? null : html`<p class="notice" role="status" id="notice">${text}</p>`;
}
