import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import { isLoopbackAuthority } from '../../base/loopback.ts';
import type { SignIns } from '../../http/peers.ts';
import { Problem } from '../../http/problem.ts';
import type { Readings } from '../../store/limited-reads.ts';
import { type AccessToken, authorize, callerOf, isPublic, localCaller, neededBy, needs } from '../access.ts';
import type { ReadyAction } from '../action.ts';
import { askedBy, routeOf } from '../call.ts';
import { toProblem } from '../problem.ts';
import { sendCsv } from '../views/csv.ts';
import { type BoardSources, createSourcesOf, type LimitedHealth, type View } from '../views/view.ts';
import { ownAddress } from './addresses.ts';
import { serveAssets } from './assets.ts';
import { readOpenApi } from './documents.ts';
import { html } from './html.ts';
import type { Notice, Page, Surroundings } from './layout.ts';
import { createResponder, protect, type Respond, sendFile } from './responder.ts';
import { createSessions, type EndedSessions, signedIn } from './session.ts';
import { doorFor, namePage, pathOf, personRoutes, signInRoutes, takeName, withPerson } from './sign-in.ts';

type PageDeps = BoardSources &
  LimitedHealth & {
    readonly views: readonly View[];
    readonly actions: readonly ReadyAction[];
    readonly readPageContext: (sources: BoardSources) => Promise<Surroundings>;
  };

function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const sourcesOf = createSourcesOf(deps);
  const noticeOf = createNotices(deps.actions);
  const surround = prepareOnce((sources) => () => deps.readPageContext(sources));
  for (const { path, role, open } of deps.views.flatMap(({ pages }) => pages)) {
    const prepare = prepareOnce(open);
    app.get(routeOf(path), needs[role], async (request, reply) => {
      const caller = callerOf(request);
      const sources = sourcesOf(caller);
      const asked = askedBy(request);
      const { done, ...query } = asked.query;
      const shown = await prepare(sources)({ ...asked, query }, caller);
      if ('address' in shown) return reply.redirect(shown.address, 303);
      if ('csv' in shown) return sendCsv(reply, shown);
      return 'bytes' in shown
        ? sendFile(reply, shown.name, shown.bytes)
        : respond(reply, shown, { ...(await surround(sources)()), done: noticeOf(done) });
    });
  }
  app.get('/openapi.json', needs.read, async (_request, reply) => sendFile(reply, 'openapi.json', await readOpenApi()));
}

function createNotices(actions: readonly ReadyAction[]): (word: unknown) => Notice | undefined {
  const notices: Readonly<Record<string, string>> = Object.assign({}, ...actions.map((action) => action.notices));
  return (word) => {
    const text = Object.hasOwn(notices, String(word)) ? notices[String(word)] : undefined;
    return text === undefined ? undefined : { text, isBad: /^not-|failed$/.test(String(word)) };
  };
}

function prepareOnce<Prepared>(open: (sources: BoardSources) => Prepared): (sources: BoardSources) => Prepared {
  const prepared = new Map<BoardSources, Prepared>();
  return (sources) => {
    const known = prepared.get(sources) ?? open(sources);
    prepared.set(sources, known);
    return known;
  };
}

export type BoardDeps = PageDeps &
  Pick<Readings, 'expire'> & {
    readonly tokens: readonly AccessToken[];
    readonly signIns: SignIns;
    readonly endedSessions: EndedSessions;
    readonly isOutage: (error: unknown) => boolean;
    readonly logger: Logger;
  };

const FORM_LIMIT = 16_384;

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
    operator: caller?.operator,
    environment: environmentOf(deps),
  }));

  app.addHook('onRequest', async (request, reply) => {
    protect(reply);
    if (sessions === undefined) refuseOtherNames(request);
    const caller = sessions ? signedIn(request, sessions, deps.endedSessions) : localCaller;
    // Public pages do not depend on the store.
    const known = await (isPublic(request) && caller instanceof Promise ? caller.catch(() => undefined) : caller);
    request.caller = known && withPerson(request, known);
    if (isPublic(request) && request.method !== 'POST') return;
    refuseOtherOrigins(request);
    if (isPublic(request)) return;
    if (request.caller) return authorize(request, request.caller);
    const isPage = request.headers['sec-fetch-dest'] === undefined || request.headers['sec-fetch-mode'] === 'navigate';
    if (!isPage) throw new Problem(401, 'Sign in first.');
    const door = doorFor(request);
    return door.page ? respond(reply, door.page) : reply.redirect(door.address, 303);
  });
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error, deps.isOutage);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a page of the board failed');
    reply.code(problem.statusCode).headers(problem.headers);
    return respond(reply, problemPage(problem, reply.request));
  };
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(new Problem(404, 'There is no such page.'), reply));
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );

  if (sessions) signInRoutes(app, { ...deps, sessions }, respond);
  pageRoutes(app, deps, respond);
  personRoutes(app, respond);
  for (const action of deps.actions.filter(({ hasForm }) => hasForm))
    app.post(routeOf(action.path), neededBy(action), async (request, reply) => {
      if (!takeName(request, reply) && action.asksWho) return respond(reply, namePage(request));
      return reply.redirect((await action.run(request)).address ?? '/board', 303);
    });
  deps.guide?.addRoutes(app, deps.expire);
}

/** Reads may navigate here from anywhere. Over plain http beyond loopback browsers leave `Sec-Fetch-Site` out. */
function refuseOtherOrigins({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isReading = method === 'GET' || method === 'HEAD';
  const isOwn =
    site === undefined
      ? (isReading && headers.origin === undefined) || isOrigin(headers.origin, headers.host)
      : site === 'same-origin' || (isReading && (site === 'none' || headers['sec-fetch-mode'] === 'navigate'));
  if (isOwn) return;
  throw new Problem(403, 'The request came from a page of another site, or a proxy in between changes its Host.');
}

const isOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (origin === `https://${host}` || origin === `http://${host}`);

/** Without a token, another name may be a DNS rebinding. */
function refuseOtherNames({ host }: FastifyRequest): void {
  if (!isLoopbackAuthority(host)) throw new Problem(403, 'Without ADMIN_TOKEN the board opens on localhost only.');
}

function environmentOf({ guide, tenants }: Pick<BoardDeps, 'guide' | 'tenants'>): string {
  const [only, ...others] = tenants;
  const accounts = others.length > 0 ? `${tenants.length} accounts` : (only?.id ?? 'No account');
  return guide ? `Demo · ${accounts}` : accounts;
}

function problemPage({ statusCode, message }: Problem, { method, headers }: FastifyRequest): Page {
  const title = STATUS_CODES[statusCode] ?? 'Problem';
  return {
    title,
    content: html`<div class="card door"><h1>${title}</h1>
<p class="problem" role="alert">${message}</p>
<p><a href="${method === 'POST' ? ownAddress(pathOf(headers.referer)) : '/board'}">Back</a></p></div>`,
  };
}
