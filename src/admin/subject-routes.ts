import type { FastifyInstance } from 'fastify';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import { found } from '../http/problem.ts';
import type { Erasures } from '../store/erasures.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import { eraseBody } from './queries.ts';
import { subjectParams } from './views/subject/read.ts';
import { findSubject } from './views/subject/row.ts';
import type { Sources } from './views/view.ts';

/** Dependencies of the subject routes. */
export interface SubjectRoutesDeps extends Pick<Sources, 'reads'> {
  readonly actions: Actions;
  readonly erasures: Erasures;
}

const PATH = '/subjects/:tenant/:kind/:id';

/** Adds the actions on a subject: `POST …/refresh`, `POST …/release` and `POST …/erase`. */
export function subjectRoutes(app: FastifyInstance, deps: SubjectRoutesDeps): void {
  const { actions, erasures } = deps;

  app.post(`${PATH}/refresh`, needs.act, async (request, reply): Promise<Answer<'SubjectView' | 'Accepted'>> => {
    const refreshed = await actions.refresh(await findRef(request.params), actorOf(request));
    if (refreshed.outcome === 'done') return refreshed.view;
    reply.code(202);
    const status =
      refreshed.outcome === 'failed'
        ? `The warehouse was asked and failed; it is asked again by itself. ${refreshed.reason}`
        : 'The warehouse was asked and has not answered yet; it is asked by itself until it does.';
    return { status, outcome: refreshed.outcome };
  });

  app.post(`${PATH}/release`, needs.act, async (request): Promise<Answer<'SubjectView'>> => {
    return await actions.release(await findRef(request.params), actorOf(request));
  });

  app.post(`${PATH}/erase`, needs.act, async (request): Promise<Answer<'Erased'>> => {
    const { dryRun, unsent } = eraseBody.parse(request.body ?? {});
    const subject = await findRef(request.params);
    if (dryRun) return { isErased: false, ...(await erasures.preview(subject)) };
    return await actions.erase(subject, { actor: actorOf(request), unsent });
  });

  /** Finds the subject that a path names, and drops everything but its name, so that nothing else enters the history of its workflow. @throws Problem 404 */
  async function findRef(params: unknown): Promise<SubjectRef> {
    const { tenant, kind, id } = found(
      await findSubject(deps, subjectParams.parse(params)),
      'The subject does not exist.',
    );
    return { tenant, kind, id };
  }
}
