import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Problem, sendProblem } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import { admitByToken, admitPrograms } from './admission.ts';
import { type AnnouncementRoutesDeps, announcementRoutes } from './announcement-routes.ts';
import { type EventRoutesDeps, eventRoutes } from './event-routes.ts';
import { toProblem } from './problem.ts';
import { type StatusRoutesDeps, statusRoutes } from './status-routes.ts';
import { type SubjectRoutesDeps, subjectRoutes } from './subject-routes.ts';

/** What the administrative API works with. */
export type AdminDeps = SubjectRoutesDeps &
  EventRoutesDeps &
  AnnouncementRoutesDeps &
  StatusRoutesDeps & {
    /** Whoever shows it is admitted; without one, programs on this machine are. */
    readonly token: string | undefined;
    readonly logger: Logger;
  };

/** Ids of announcements have no more characters between two slashes. */
const PARAMETER_LIMIT = 300;

/** The administrative API: lists show no bodies, showing one thing does; the actions that operators ask for are logged. */
export function createAdminApp({ token, logger, ...deps }: AdminDeps): FastifyInstance {
  const admit = token === undefined ? admitPrograms : admitByToken(token);
  const app = fastify({
    // Fastify's own log lines would carry query strings.
    logger: false,
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    frameworkErrors: (_error, _request, reply) => void answer(new Problem(400, 'The address cannot be read.'), reply),
  });
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error, deps.isOutage);
    if (problem.statusCode === 500) logger.error({ err: error }, 'an administrative request failed');
    if (problem.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    return sendProblem(reply, problem);
  };
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(new Problem(404, 'There is no such resource.'), reply));
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request) => admit(request));
  app.addHook('onResponse', async ({ method, routeOptions, params }, { statusCode: status }) => {
    if (method === 'POST') logger.info({ path: routeOptions.url, params, status }, 'an operator asked for an action');
  });

  subjectRoutes(app, deps);
  eventRoutes(app, deps);
  announcementRoutes(app, deps);
  statusRoutes(app, deps);
  return app;
}
