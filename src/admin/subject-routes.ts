import type { FastifyInstance, FastifyReply } from 'fastify';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import { progressOf } from '../domain/lifecycle/progress.ts';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { BoardLists } from './board/ports.ts';
import type { AnnouncementLists, Erasures, LiveSubject, SubjectControl, SubjectLists } from './ports.ts';
import { pageOf, showAnnouncement, showErasure, showSubject } from './presentation.ts';
import { eraseBody, PAGE_LIMIT, searchQuery, subjectParams, subjectsQuery } from './queries.ts';

/** Dependencies of the subject routes. */
export interface SubjectRoutesDeps {
  readonly subjects: SubjectLists;
  readonly choices: Pick<BoardLists, 'search'>;
  readonly announcements: AnnouncementLists;
  readonly control: Pick<SubjectControl, 'look'>;
  readonly actions: Actions;
  readonly erasures: Erasures;
  readonly isOutage: (error: unknown) => boolean;
}

const PATH = '/subjects/:tenant/:kind/:id';

/** Adds `GET /subjects`, `GET /search`, `GET /subjects/{tenant}/{kind}/{id}` and its actions, `POST …/refresh`, `POST …/release` and `POST …/erase`. */
export function subjectRoutes(app: FastifyInstance, deps: SubjectRoutesDeps): void {
  const { subjects, choices, announcements, control, actions, erasures } = deps;

  app.get('/subjects', needs.read, ({ query }) => listSubjects(query, deps));

  app.get('/search', needs.read, async ({ query }): Promise<Answer<'FoundSubjects'>> => {
    const { q, limit } = searchQuery.parse(query);
    return { items: (await choices.search(q, limit)).map(showSubject) };
  });

  app.get(PATH, needs.read, async ({ params }): Promise<Answer<'ShownSubject'>> => {
    const subject = await findSubject(params, subjects);
    const latest = await announcements.ofSubject(subject, PAGE_LIMIT);
    const live = await look(() => control.look(subject), deps);
    const erased = (await erasures.of(subject)).map(showErasure);
    const { lifecycle, ...listed } = subject;
    const progress = subject.kind === 'order' ? progressOf(lifecycle) : null;
    return {
      ...showSubject(listed),
      lifecycle,
      progress,
      ...live,
      erasures: erased,
      announcements: latest.map(showAnnouncement),
    };
  });

  app.post(`${PATH}/refresh`, needs.act, async (request, reply): Promise<Answer<'SubjectView' | 'Accepted'>> => {
    const view = await actions.refresh(refOf(await findSubject(request.params, subjects)), actorOf(request));
    return view ?? accepted(reply);
  });

  app.post(`${PATH}/release`, needs.act, async (request): Promise<Answer<'SubjectView'>> => {
    return await actions.release(refOf(await findSubject(request.params, subjects)), actorOf(request));
  });

  app.post(`${PATH}/erase`, needs.act, async (request): Promise<Answer<'Erased'>> => {
    const { dryRun, unsent } = eraseBody.parse(request.body ?? {});
    const subject = refOf(await findSubject(request.params, subjects));
    if (dryRun) return { isErased: false, ...(await erasures.preview(subject)) };
    return await actions.erase(subject, { actor: actorOf(request), unsent });
  });
}

async function listSubjects(query: unknown, { subjects }: SubjectRoutesDeps): Promise<Answer<'SubjectPage'>> {
  const { after, limit, ...filter } = subjectsQuery.parse(query);
  const rows = await subjects.list(filter, { limit, ...(after && { after }) });
  return pageOf(rows, limit, { show: showSubject, placeOf: subjectKey });
}

/** Finds the subject that a path names. @throws Problem 404 */
async function findSubject(params: unknown, subjects: SubjectLists) {
  return found(await subjects.find(subjectParams.parse(params)), 'The subject does not exist.');
}

/** Drops everything but the name of a subject, so that nothing else enters the history of its workflow. */
const refOf = ({ tenant, kind, id }: SubjectRef): SubjectRef => ({ tenant, kind, id });

/** Queries the workflow of a subject; the stored state is shown even if that fails. */
async function look(
  ask: () => Promise<LiveSubject | undefined>,
  { isOutage }: Pick<SubjectRoutesDeps, 'isOutage'>,
): Promise<{ readonly live: LiveSubject | null; readonly liveProblem?: string }> {
  try {
    const live = await ask();
    return live ? { live } : { live: null, liveProblem: 'Temporal no longer has a workflow of the subject.' };
  } catch (error) {
    if (isOutage(error)) return { live: null, liveProblem: 'Temporal or its workers do not answer.' };
    throw error;
  }
}

function accepted(reply: FastifyReply): Answer<'Accepted'> {
  reply.code(202);
  return { status: 'The fetch takes longer; see its workflow in the Temporal UI.' };
}
