import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problem.ts';
import type { Answer } from './answers.ts';
import { operatorOf } from './operator.ts';
import type { Erasures, SubjectLists } from './ports.ts';
import { eraseBody } from './queries.ts';
import { findSubject } from './subject-routes.ts';

/** Dependencies of the erasure route. */
export interface ErasureRoutesDeps {
  readonly subjects: SubjectLists;
  readonly erasures: Erasures;
}

/** Adds `POST /subjects/{tenant}/{kind}/{id}/erase`. */
export function erasureRoutes(app: FastifyInstance, { subjects, erasures }: ErasureRoutesDeps): void {
  app.post('/subjects/:tenant/:kind/:id/erase', async (request): Promise<Answer<'Erased'>> => {
    const { dryRun, unsent } = eraseBody.parse(request.body ?? {});
    const { tenant, kind, id } = await findSubject(request.params, subjects);
    const subject = { tenant, kind, id };
    if (dryRun) return { isErased: false, ...(await erasures.preview(subject)) };
    const found = await erasures.erase(subject, { by: operatorOf(request), unsent });
    if (found.isErased) return found;
    throw new Problem(
      409,
      found.waiting > 0
        ? `${found.waiting} events wait to be recorded; erase it once they are.`
        : `${found.unsent} announcements are not sent; erase it once they are, or erase them too with "unsent".`,
    );
  });
}
