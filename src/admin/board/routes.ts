import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../base/loopback.ts';
import { Problem } from '../../http/problem.ts';
import type { SignIns } from '../../http/sign-ins.ts';
import { type AccessToken, authorize, isPublic, localCaller, needs } from '../access.ts';
import { routeOf } from '../call.ts';
import { toProblem } from '../problem.ts';
import { serveAssets } from './assets.ts';
import { guideRoutes } from './guide.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { type LiveDeps, liveRoutes } from './live.ts';
import { type PageDeps, pageRoutes } from './pages.ts';
import { createPresses, sayOnPage } from './presses.ts';
import { createResponder, protect } from './responder.ts';
import { savedViewRoutes } from './saved-views.ts';
import { createSessions, signedIn } from './session.ts';
import { createSharedValues } from './shared-values.ts';
import { doorFor, signInRoutes } from './sign-in.ts';

export type BoardDeps = Omit<PageDeps, 'share'> &
  Omit<LiveDeps, 'onChange'> & {
    /** Tokens to sign in with; without any, the board opens on this machine only. */
    readonly tokens: readonly AccessToken[];
    readonly signIns: SignIns;
    /** Reports whether an error is Temporal's. */
    readonly isOutage: (error: unknown) => boolean;
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
    signedInAs: sessions && caller,
    environment: environmentOf(deps),
  }));

  app.addHook('onRequest', async (request, reply) => {
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
    return 'page' in door ? respond(reply, door.page) : reply.redirect(door.address, 303);
  });
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error, deps.isOutage);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a page of the board failed');
    if (!isPublic(reply.request) && sayOnPage(reply.request, reply, problem)) return reply;
    reply.code(problem.statusCode).headers(problem.headers);
    return respond(reply, problemPage(problem));
  };
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(new Problem(404, 'There is no such page.'), reply));
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => done(null, readFields(body.toString())),
  );

  if (sessions) signInRoutes(app, sessions, deps.signIns, respond);
  const shared = createSharedValues();
  pageRoutes(app, { ...deps, share: shared.share }, respond);
  savedViewRoutes(app);
  const press = createPresses(app, { logger });
  for (const { path, role, run } of deps.actions.filter(({ hasForm }) => hasForm))
    app.post(routeOf(path), needs[role], async (request, reply) =>
      reply.redirect(await press(request, () => run(request)), 303),
    );
  if (deps.guide) guideRoutes(app, deps.guide, shared.expire);
  liveRoutes(app, { ...deps, onChange: shared.expire, logger });
}

/**
 * Refuses requests that a page of another origin sends: all that change something, and reading by anything but navigation. Browsers
 * leave `Sec-Fetch-Site` out for plain http beyond loopback; then the origin has to be the address itself.
 */
function refuseOtherOrigins({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isReading = method === 'GET' || method === 'HEAD';
  const isOwn =
    site === undefined
      ? (isReading && headers.origin === undefined) || isOrigin(headers.origin, headers.host)
      : site === 'same-origin' || (isReading && (site === 'none' || headers['sec-fetch-mode'] === 'navigate'));
  if (!isOwn) throw new Problem(403, 'The request came from a page of another site.');
}

const isOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (origin === `https://${host}` || origin === `http://${host}`);

/** Refuses names that are not this machine's: without a token, they may have been made to lead here. */
function refuseOtherNames({ hostname }: FastifyRequest): void {
  if (!isLoopback(hostname)) throw new Problem(403, 'Without ADMIN_TOKEN the board opens on localhost only.');
}

/** Names an installation by what it serves, since that is what people take one for. */
function environmentOf({ guide, tenants }: Pick<BoardDeps, 'guide' | 'tenants'>): string {
  const [only, ...others] = tenants;
  const accounts = others.length > 0 ? `${tenants.length} accounts` : (only?.id ?? only?.endpoint ?? 'No account');
  return guide ? `Demo · ${accounts}` : accounts;
}

/** Reads the fields of a form; what is chosen several times has a blank between its values. */
function readFields(body: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body))
    fields.set(name, fields.has(name) ? `${fields.get(name)} ${value}` : value);
  return Object.fromEntries(fields);
}

/** Page for a request that was refused or failed. */
function problemPage({ statusCode, message }: Problem): Page {
  const title = STATUS_CODES[statusCode] ?? 'Problem';
  return {
    title,
    content: html`<div class="door"><h1>${title}</h1>
<p class="problem" role="alert">${message}</p>
<p><a href="/board">Back to the board</a></p></div>`,
  };
}
