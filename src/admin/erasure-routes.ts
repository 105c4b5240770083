import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { Erasures, SubjectLists } from './ports.ts';
import { eraseBody } from './queries.ts';
import { findSubject, refOf } from './subject-routes.ts';

/** Dependencies of the erasure route. */
export interface ErasureRoutesDeps {
  readonly subjects: SubjectLists;
  readonly erasures: Pick<Erasures, 'preview'>;
  readonly actions: Actions;
}

/** Adds `POST /subjects/{tenant}/{kind}/{id}/erase`. */
export function erasureRoutes(app: FastifyInstance, { subjects, erasures, actions }: ErasureRoutesDeps): void {
  app.post('/subjects/:tenant/:kind/:id/erase', needs.act, async (request): Promise<Answer<'Erased'>> => {
    const { dryRun, unsent } = eraseBody.parse(request.body ?? {});
    const subject = refOf(await findSubject(request.params, subjects));
    if (dryRun) return { isErased: false, ...(await erasures.preview(subject)) };
    return await actions.erase(subject, { actor: actorOf(request), unsent });
  });
}
