import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { lastOrderStages } from '../../../domain/lifecycle/stage.ts';
import { found } from '../../../http/problem.ts';
import type { Database } from '../../../store/schema.ts';
import { callerOf, needs } from '../../access.ts';
import type { SubjectLists } from '../../ports.ts';
import { subjectParams } from '../../queries.ts';
import { announcementsOf } from '../../views/announcements.ts';
import { listAddress, subjectAddress } from '../addresses.ts';
import { createGlimpses, type GlimpseDeps } from '../glimpse.ts';
import type { BoardLists, Choice, Sorting } from '../ports.ts';
import { livePage, type Respond } from '../responder.ts';
import { doneQuery, listPage, ROWS, searchQuery, subjectsQuery } from './queries.ts';
import { subjectPage } from './subject.ts';
import { searchPage, subjectsPage } from './subjects.ts';

/** Dependencies of the pages of subjects. */
export interface SubjectRoutesDeps extends GlimpseDeps {
  readonly board: BoardLists;
  readonly subjects: SubjectLists;
  readonly reads: Kysely<Database>;
  /** Address of the namespace in the Temporal UI, if it is known. */
  readonly temporalUrl: string | undefined;
}

/** Entries of a timeline of each sort. */
const ENTRIES = 100;

/** Adds the lists of subjects, the search, and the page of one subject. */
export function subjectRoutes(app: FastifyInstance, deps: SubjectRoutesDeps, respond: Respond): void {
  const { board, subjects, reads, temporalUrl } = deps;
  const glimpses = createGlimpses(deps);
  app.addHook('onClose', glimpses.settled);

  app.get('/subjects', needs.read, async (request, reply) => {
    const { after, ...given } = subjectsQuery.parse(request.query);
    const choice = choose(given);
    const sorting = sortingOf(choice);
    const rows = await board.list(choice, { sorting, limit: ROWS, ...(after && { after }) });
    const page = listPage(rows, !after, ({ stageSince, tenant, kind, id }) =>
      listAddress('/board/subjects', { ...choice, after: [stageSince, tenant, kind, id].join('~') }),
    );
    return respond(reply, livePage(subjectsPage, { ...page, choice, sorting, caller: callerOf(request) }));
  });

  app.get('/search', needs.read, async (request, reply) => {
    const { q } = searchQuery.parse(request.query);
    const rows = q === '' ? [] : await board.search(q, ROWS);
    const [only] = rows;
    if (only && rows.length === 1) return reply.redirect(subjectAddress(only), 303);
    return respond(reply, livePage(searchPage, { text: q, rows }));
  });

  app.get('/subjects/:tenant/:kind/:id', needs.read, async (request, reply) => {
    const ref = subjectParams.parse(request.params);
    const { done } = doneQuery.parse(request.query);
    const subject = found(await subjects.find(ref));
    const page = livePage(subjectPage, {
      subject,
      done,
      caller: callerOf(request),
      announcements: await announcementsOf(reads, ref, ENTRIES),
      deliveries: await board.deliveriesOf(ref, ENTRIES),
      glimpse: await glimpses.of(ref),
      workflowUrl: temporalUrl && `${temporalUrl}/workflows/${encodeURIComponent(subjectKey(ref))}`,
    });
    return respond(reply, page);
  });
}

/** Chooses orders, unless another kind, or everything that needs attention, is asked for. */
function choose({ kind, ...rest }: { readonly [F in keyof Choice]: Choice[F] | undefined }): Choice {
  const chosen = { ...rest, kind: kind ?? ((rest.attention ?? rest.group) === undefined ? 'order' : undefined) };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}

/** Chooses the order that an index has; what ended is shown from its end. */
function sortingOf({ customer, tenant, stage }: Choice): Sorting {
  if (customer !== undefined || tenant !== undefined) return 'id';
  return stage !== undefined && lastOrderStages.includes(stage) ? 'newest' : 'oldest';
}
