import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { found } from '../../http/problem.ts';
import { needs } from '../access.ts';
import type { Actions } from '../actions.ts';
import { actorOf } from '../audit.ts';
import { announcementParams, askedBy, routeOf } from '../call.ts';
import { idParams } from '../queries.ts';
import { findAnnouncement } from '../views/announcements.ts';
import { subjectParams } from '../views/subject/read.ts';
import { findSubject } from '../views/subject/row.ts';
import type { Sources } from '../views/view.ts';
import { ownAddress, subjectAddress } from './addresses.ts';

/** Dependencies of the forms. */
export interface ActionDeps extends Pick<Sources, 'reads'> {
  readonly actions: Actions;
}

const returning = z.object({ back: z.string().optional() }).nullish();

/** Adds the actions on one order, announcement or delivery. Each answers with the page of its form. */
export function actionRoutes(app: FastifyInstance, { reads, actions }: ActionDeps): void {
  const subjectOf = async (params: unknown): Promise<SubjectRef> => {
    const { tenant, kind, id } = found(
      await findSubject({ reads }, subjectParams.parse(params)),
      'The subject does not exist.',
    );
    return { tenant, kind, id };
  };

  app.post('/subjects/:tenant/:kind/:id/refresh', needs.act, async (request, reply) => {
    const subject = await subjectOf(request.params);
    const { outcome } = await actions.refresh(subject, actorOf(request));
    return reply.redirect(`${subjectAddress(subject)}?done=refresh-${outcome}`, 303);
  });

  app.post('/subjects/:tenant/:kind/:id/release', needs.act, async (request, reply) => {
    const subject = await subjectOf(request.params);
    await actions.release(subject, actorOf(request));
    return reply.redirect(`${subjectAddress(subject)}?done=released`, 303);
  });

  app.post(routeOf('/announcements/{id}/resend'), needs.act, async (request, reply) => {
    const { id } = announcementParams.parse(askedBy(request).params);
    await actions.resend(await findAnnouncement({ reads }, id), actorOf(request));
    return reply.redirect(`${ownAddress(returning.parse(request.body)?.back)}?done=resent`, 303);
  });

  app.post('/quarantine/:id/replay', needs.act, async (request, reply) => {
    const { id } = idParams.parse(request.params);
    const ingested = await actions.replay(id, actorOf(request));
    return reply.redirect(`/board/deliveries/${id}?done=${ingested > 0 ? 'replayed' : 'not-replayed'}`, 303);
  });
}
