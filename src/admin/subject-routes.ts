import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import { progressOf } from '../domain/lifecycle/progress.ts';
import { found } from '../http/problem.ts';
import type { Database } from '../store/schema.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { BoardLists } from './board/ports.ts';
import type { Erasures, SubjectControl, SubjectLists } from './ports.ts';
import { pageOf, showErasure, showSubject } from './presentation.ts';
import { eraseBody, PAGE_LIMIT, searchQuery, subjectParams, subjectsQuery } from './queries.ts';
import { announcementsOf } from './views/announcements.ts';
import { waitingWebhooksOf } from './views/waiting-webhooks.ts';

/** Dependencies of the subject routes. */
export interface SubjectRoutesDeps {
  readonly subjects: SubjectLists;
  readonly choices: Pick<BoardLists, 'search'>;
  readonly reads: Kysely<Database>;
  readonly control: Pick<SubjectControl, 'look'>;
  readonly actions: Actions;
  readonly erasures: Erasures;
  readonly isOutage: (error: unknown) => boolean;
}

const PATH = '/subjects/:tenant/:kind/:id';

/** Adds `GET /subjects`, `GET /search`, `GET /subjects/{tenant}/{kind}/{id}` and its actions, `POST …/refresh`, `POST …/release` and `POST …/erase`. */
export function subjectRoutes(app: FastifyInstance, deps: SubjectRoutesDeps): void {
  const { subjects, choices, reads, actions, erasures } = deps;

  app.get('/subjects', needs.read, async ({ query }): Promise<Answer<'SubjectPage'>> => {
    const { after, limit, ...filter } = subjectsQuery.parse(query);
    const rows = await subjects.list(filter, { limit, ...(after && { after }) });
    return pageOf(rows, limit, { show: showSubject, placeOf: subjectKey });
  });

  app.get('/search', needs.read, async ({ query }): Promise<Answer<'FoundSubjects'>> => {
    const { q, limit } = searchQuery.parse(query);
    return { items: (await choices.search(q, limit)).map(showSubject) };
  });

  app.get(PATH, needs.read, async ({ params }): Promise<Answer<'ShownSubject'>> => {
    const { lifecycle, ...subject } = await find(params);
    const latest = await announcementsOf(reads, subject, PAGE_LIMIT);
    const live = await look(subject, deps);
    return {
      ...showSubject(subject),
      lifecycle,
      progress: subject.kind === 'order' ? progressOf(lifecycle) : null,
      ...live,
      erasures: (await erasures.of(subject)).map(showErasure),
      announcements: latest,
      waitingWebhooks: await waitingWebhooksOf(reads, subject, PAGE_LIMIT),
    };
  });

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

  /** Finds the subject that a path names. @throws Problem 404 */
  async function find(params: unknown) {
    return found(await subjects.find(subjectParams.parse(params)), 'The subject does not exist.');
  }

  /** Finds it, and drops everything but its name, so that nothing else enters the history of its workflow. */
  async function findRef(params: unknown): Promise<SubjectRef> {
    const { tenant, kind, id } = await find(params);
    return { tenant, kind, id };
  }
}

/** Queries the workflow of a subject; the stored state is shown even if that fails. */
async function look(
  subject: SubjectRef,
  { control, isOutage }: SubjectRoutesDeps,
): Promise<Pick<Answer<'ShownSubject'>, 'live' | 'liveProblem'>> {
  try {
    const live = await control.look(subject);
    return live ? { live } : { live: null, liveProblem: 'Temporal no longer has a workflow of the subject.' };
  } catch (error) {
    if (isOutage(error)) return { live: null, liveProblem: 'Temporal or its workers do not answer.' };
    throw error;
  }
}
