import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import {
  type AccessToken,
  admitByToken,
  admitPrograms,
  authorize,
  callerOf,
  neededBy,
  needs,
  operatorIn,
  requireRoles,
} from '../admin/access.ts';
import { type CommonParts, withParts } from '../admin/action.ts';
import { actorOf, describeActor, OPERATOR_HEADER } from '../admin/audit.ts';
import { readOpenApi } from '../admin/board/documents.ts';
import { type BoardDeps, mountBoard } from '../admin/board/routes.ts';
import { askedBy, routeOf } from '../admin/call.ts';
import { toProblem } from '../admin/problem.ts';
import { schemaParams } from '../admin/queries.ts';
import type { BulkActions } from '../admin/tables/bulk-actions.ts';
import { sendCsv, wantsCsv } from '../admin/views/csv.ts';
import { createSourcesOf, type Sources } from '../admin/views/view.ts';
import { createBulkRunner, performersOf } from '../bulk/runner.ts';
import { describeData } from '../destinations/announcements/cloud-event.ts';
import { type RecordAccess, recordRoutes } from '../destinations/record-routes.ts';
import type { Redelivery } from '../destinations/tables/redelivery.ts';
import type { Health } from '../health/health.ts';
import { readPageContext } from '../health/views/page-context.ts';
import { createSignIns } from '../http/peers.ts';
import { found, Problem, sendProblem } from '../http/problem.ts';
import { trustIn } from '../http/proxies.ts';
import { type ActionParts, actions, views } from './operations.ts';

type AdminDeps = Omit<ActionParts, 'wakeBulk' | 'incidents'> &
  CommonParts & {
    /** Without any, only this machine is admitted. */
    readonly tokens: readonly AccessToken[];
    /** Addresses and ranges; `X-Forwarded-For` names the caller, for the limit of wrong tokens. */
    readonly trustedProxies: readonly string[];
    readonly bulkActions: BulkActions;
    readonly redelivery: Redelivery;
    readonly records: RecordAccess;
    readonly health: Health;
    readonly placesOf: Sources['placesOf'];
    readonly board?:
      | Pick<BoardDeps, 'endedSessions' | 'now' | 'tenants' | 'temporalUrl' | 'hasStageLimits' | 'guide'>
      | undefined;
  };

/** Parts of an announcement's id are shorter. */
const PARAMETER_LIMIT = 300;

export function createAdminApp({ tokens, trustedProxies, board, ...given }: AdminDeps): FastifyInstance {
  // Any process with the administrative API runs bulk actions.
  const { bulkActions: store, bulkItems: items } = given;
  const runner = createBulkRunner({ ...given, store, items, performers: performersOf(given) });
  const { open: incidents, once, expire } = given.health.whole;
  const deps = { ...given, wakeBulk: runner.wake, incidents, once, expire };
  const { logger } = deps;
  const sourcesOf = createSourcesOf(deps);
  const signIns = createSignIns();
  const admit = tokens.length === 0 ? admitPrograms : admitByToken(tokens, signIns);
  const app = fastify({
    // Fastify's log has query strings.
    logger: false,
    trustProxy: trustIn(trustedProxies),
    // A client may have encoded the slashes of an id.
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
  app.addHook('onSend', async ({ method, caller }) => {
    if (method === 'POST' && caller) sourcesOf(caller).expire();
  });
  app.addHook('onResponse', async (request, { statusCode: status }) => {
    const { method, routeOptions, params, caller } = request;
    const by = caller ? describeActor(actorOf(request)) : 'nobody';
    if (method === 'POST') logger.info({ by, path: routeOptions.url, params, status }, 'administrative action');
  });

  const ready = actions.map((action) => withParts(action, sourcesOf));
  app.register(async (api) => {
    api.setErrorHandler((error, _request, reply) => answer(error, reply));
    api.setNotFoundHandler(({ method }, reply) =>
      answer(new Problem(404, `There is no such address for ${method}.`), reply),
    );
    api.addHook('onRequest', async (request) => {
      request.caller = { ...admit(request), operator: operatorIn(request.headers[OPERATOR_HEADER]) };
      authorize(request, request.caller);
    });
    for (const action of ready)
      api.post(routeOf(action.path), neededBy(action), async (request, reply) => {
        const { status, answer } = await action.run(request);
        reply.code(status);
        return answer;
      });
    api.get('/openapi.json', needs.read, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await readOpenApi()),
    );
    api.get('/schemas/:type', needs.read, async ({ params }) =>
      found(describeData(schemaParams.parse(params).type), 'There is no such type of announcements.'),
    );
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
  if (board) mountBoard(app, { ...deps, ...board, tokens, signIns, views, actions: ready, readPageContext });
  app.addHook('onReady', async () => runner.start());
  app.addHook('onClose', () => runner.close());
  return app;
}
