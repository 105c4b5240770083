import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../http/problem.ts';
import type { SignIns } from '../../http/sign-ins.ts';
import type { Logger } from '../../observability/logger.ts';
import { type AccessToken, authorize, isPublic, localCaller, needs } from '../access.ts';
import { toProblem } from '../problem.ts';
import { refuseOtherNames, refuseOtherOrigins, signedIn } from './access.ts';
import { type ActionDeps, actionRoutes } from './actions.ts';
import { serveAssets } from './assets.ts';
import { type LiveDeps, liveRoutes } from './live.ts';
import { type PageDeps, pageRoutes } from './pages/pages.ts';
import { problemPage } from './pages/problem.ts';
import { createResponder, protect } from './responder.ts';
import { createSessions } from './session.ts';
import { createSharedValues } from './shared-values.ts';
import { doorFor, signInRoutes } from './sign-in.ts';

/** Dependencies of the board. */
export type BoardDeps = Omit<PageDeps, 'shared'> &
  ActionDeps &
  Omit<LiveDeps, 'onChange'> & {
    /** Tokens to sign in with; without any, the board opens on this machine only. */
    readonly tokens: readonly AccessToken[];
    readonly signIns: SignIns;
    readonly isOutage: (error: unknown) => boolean;
    readonly logger: Logger;
  };

/** Largest form, in bytes. */
const FORM_LIMIT = 16_384;

/** Adds the board at `/board`: pages for people, with forms that work without a script. */
export function mountBoard(app: FastifyInstance, deps: BoardDeps): void {
  app.get('/', needs.none, (_request, reply) => reply.redirect('/board'));
  app.register(async (board) => boardRoutes(board, deps), { prefix: '/board' });
}

function boardRoutes(app: FastifyInstance, { tokens, logger, ...deps }: BoardDeps): void {
  const sessions = tokens.length === 0 ? undefined : createSessions(tokens);
  const assets = serveAssets(app);
  const respond = createResponder(assets, ({ caller }) => ({
    isAdmitted: caller !== undefined,
    signedInAs: sessions && caller?.name,
  }));

  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    protect(reply);
    if (sessions === undefined) refuseOtherNames(request);
    request.caller = sessions ? signedIn(request, sessions) : localCaller;
    if (isPublic(request) && request.method !== 'POST') return;
    refuseOtherOrigins(request);
    if (isPublic(request)) return;
    if (request.caller) return authorize(request, request.caller);
    const isPage = request.headers['sec-fetch-dest'] === undefined || request.headers['sec-fetch-mode'] === 'navigate';
    if (!isPage) throw new Problem(401, 'Sign in first.');
    const door = doorFor(request);
    return 'page' in door ? respond(request, reply, door.page) : reply.redirect(door.address, 303);
  };
  app.addHook('onRequest', admit);
  const answer = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblem(error, deps.isOutage);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a page of the board failed');
    reply.code(problem.statusCode).headers(problem.headers);
    return respond(request, reply, problemPage(problem));
  };
  app.setErrorHandler((error, request, reply) => answer(error, request, reply));
  app.setNotFoundHandler((request, reply) => answer(new Problem(404, 'There is no such page.'), request, reply));
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );

  if (sessions) signInRoutes(app, sessions, deps.signIns, respond);
  const shared = createSharedValues();
  pageRoutes(app, { ...deps, shared }, respond);
  actionRoutes(app, deps);
  liveRoutes(app, { ...deps, onChange: shared.expire, logger });
}
