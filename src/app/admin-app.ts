import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type AccessToken,
  admitByToken,
  admitPrograms,
  authorize,
  type Caller,
  callerOf,
  needs,
  requireRoles,
} from '../admin/access.ts';
import { type CommonParts, withParts } from '../admin/action.ts';
import { actorOf, describeActor } from '../admin/audit.ts';
import { bulkAddress } from '../admin/board/addresses.ts';
import { type BoardDeps, mountBoard } from '../admin/board/routes.ts';
import { askedBy, routeOf } from '../admin/call.ts';
import { sendCsv, wantsCsv } from '../admin/csv-answer.ts';
import { type ApiDescription, descriptionRoutes } from '../admin/description-routes.ts';
import { toProblem } from '../admin/problem.ts';
import type { BulkActions, RunningBulk } from '../admin/tables/bulk-actions.ts';
import { createSourcesOf } from '../admin/views/limited-sources.ts';
import { createBulk } from '../bulk/bulk.ts';
import type { BulkItems } from '../bulk/items.ts';
import { repeating, replaying, resending } from '../bulk/performers.ts';
import { readBulkForm } from '../bulk/read-form.ts';
import { bulkRoutes } from '../bulk/routes.ts';
import { createBulkRunner, createStep } from '../bulk/runner.ts';
import { findBulk } from '../bulk/views/row.ts';
import type { RecordAccess } from '../destinations/record-access.ts';
import { recordRoutes } from '../destinations/record-routes.ts';
import type { Repeats } from '../destinations/tables/repeats.ts';
import type { Health } from '../health/health.ts';
import { readPageContext } from '../health/views/page-context.ts';
import { Problem, sendProblem } from '../http/problem.ts';
import { createSignIns } from '../http/sign-ins.ts';
import { type ActionParts, actions } from './actions.ts';
import { views } from './views.ts';

type AdminDeps = ApiDescription &
  ActionParts &
  CommonParts & {
    /** Tokens of which a request has to show one; without any, only programs on this machine are admitted. */
    readonly tokens: readonly AccessToken[];
    /** Addresses and ranges of proxies whose `X-Forwarded-For` names the caller, for the limit of wrong tokens. */
    readonly trustedProxies: readonly string[];
    readonly bulkActions: BulkActions;
    readonly bulkItems: BulkItems;
    readonly repeats: Repeats;
    /** Sees to it that the workflow of a bulk refresh runs. */
    readonly startRefresh: (bulk: number) => Promise<void>;
    /** Access of receivers to what was left out of announcements. */
    readonly records: RecordAccess;
    /** Open incidents. */
    readonly health: Health;
    /** Reading side of the board; without it there is no board. */
    readonly board?:
      | Pick<BoardDeps, 'cursor' | 'now' | 'tenants' | 'temporalUrl' | 'hasStageLimits' | 'guide'>
      | undefined;
  };

/** Maximum length of a path parameter; parts of an announcement's id are shorter. */
const PARAMETER_LIMIT = 300;

/** Creates the administrative API, and the board beside it. Lists contain no bodies; a single item does. Logs every action of an operator. */
export function createAdminApp({ tokens, trustedProxies, board, ...given }: AdminDeps): FastifyInstance {
  const { bulkActions: store, bulkItems: items, reads } = given;
  const runner = createRunner(given);
  const bulk = createBulk({
    store,
    reads,
    items,
    filterOf: given.destinations.filterOf,
    identityOf: given.destinations.identityOf,
    onConfirmed: runner.wake,
  });
  const deps = { ...given, bulk, incidents: given.health.whole.open };
  const { logger } = deps;
  const signIns = createSignIns();
  const admit = tokens.length === 0 ? admitPrograms : admitByToken(tokens, signIns);
  const app = fastify({
    // Fastify would log query strings.
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // An id has slashes, which a client may have encoded.
    rewriteUrl: ({ url = '' }) => (/^\/(announcements|records)\//.test(url) ? url.replaceAll(/%2f/gi, '/') : url),
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    frameworkErrors: (_error, _request, reply) => void answer(new Problem(400, 'The address is malformed.'), reply),
  });
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error, deps.isOutage);
    if (problem.statusCode === 500) logger.error({ err: error }, 'administrative request failed');
    if (problem.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    return sendProblem(reply, problem);
  };
  app.removeContentTypeParser('text/plain');
  requireRoles(app);
  app.addHook('onResponse', async (request, { statusCode: status }) => {
    const { method, routeOptions, params, caller } = request;
    const by = caller ? describeActor(actorOf(request)) : 'nobody';
    if (method === 'POST') logger.info({ by, path: routeOptions.url, params, status }, 'administrative action');
  });

  const sourcesOf = createSourcesOf(deps);
  const ready = actions.map((action) => withParts(action, deps));
  const findOwnBulk = (id: number, caller: Caller) => findBulk(sourcesOf(caller).reads, id);
  app.register(async (api) => {
    api.setErrorHandler((error, _request, reply) => answer(error, reply));
    const methodsOf = noteMethods(api);
    api.setNotFoundHandler((request, reply) => answer(unknownAddress(request, methodsOf(request.url)), reply));
    api.addHook('onRequest', async (request) => {
      request.caller = admit(request);
      authorize(request, request.caller);
    });
    for (const { path, role, run } of ready)
      api.post(routeOf(path), needs[role], async (request, reply) => {
        const { status, answer } = await run(request);
        reply.code(status);
        return answer;
      });
    bulkRoutes(api, bulk, {
      read: (body) => body,
      answer(reply, shown, status) {
        reply.code(status);
        return shown;
      },
      findOwn: findOwnBulk,
    });
    descriptionRoutes(api, deps);
    for (const { call } of views)
      if (call)
        api.get(routeOf(call.path), needs[call.role], async (request, reply) => {
          const caller = callerOf(request);
          const sources = sourcesOf(caller);
          if (!call.csv || !wantsCsv(request)) return await call.answer(sources, askedBy(request), caller);
          return sendCsv(reply, { name: `${call.path.slice(1)}.csv`, csv: await call.csv(sources, askedBy(request)) });
        });
  });
  app.register(async (receivers) => recordRoutes(receivers, deps.records, answer));
  const addForms = (routes: FastifyInstance) =>
    bulkRoutes(routes, bulk, {
      read: readBulkForm,
      answer: (reply, { id }) => reply.redirect(bulkAddress(id), 303),
      findOwn: findOwnBulk,
    });
  if (board) mountBoard(app, { ...deps, ...board, tokens, signIns, views, actions: ready, readPageContext, addForms });
  app.addHook('onReady', async () => runner.start());
  app.addHook('onClose', () => runner.close());
  return app;
}

/** Notes the routes that are added from now on; returns a function that finds the methods of an address. */
function noteMethods(app: FastifyInstance): (url: string) => readonly string[] {
  const routes: { readonly method: string; readonly pattern: URLPattern }[] = [];
  app.addHook('onRoute', ({ method, url: pathname }) => {
    const pattern = new URLPattern({ pathname });
    routes.push(...[method].flat().map((one) => ({ method: one, pattern })));
  });
  return (url) => routes.filter(({ pattern }) => pattern.test(url, 'http://localhost')).map(({ method }) => method);
}

function unknownAddress({ method }: FastifyRequest, allowed: readonly string[]): Problem {
  if (allowed.length === 0) return new Problem(404, 'There is no such address.');
  const allow = allowed.toSorted().join(', ');
  return new Problem(405, `${method} is not a method of this address, which takes ${allow}.`, { headers: { allow } });
}

/** Creates the runner of bulk actions, which any process with the administrative API has. A refresh needs Temporal and is a workflow. */
function createRunner(deps: Omit<AdminDeps, 'tokens' | 'trustedProxies' | 'board'>) {
  const { startRefresh, bulkActions: store, bulkItems: items, isOutage, logger } = deps;
  const advance = {
    refresh: ({ id }: RunningBulk) => startRefresh(id),
    resend: createStep({ store, items }, resending(deps)),
    repeat: createStep({ store, items }, repeating(deps)),
    replay: createStep({ store, items }, replaying(deps)),
  };
  return createBulkRunner({ store, advance, isOutage, logger });
}
