import { request } from 'node:http';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type AccessToken, type Needed, type Role, requireRoles } from '../../src/admin/access.ts';
import { createSessions } from '../../src/admin/board/session.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { exampleGuide } from './example-guide.ts';
import { openAdmin } from './open-admin.ts';
import { type NotedRoute, noteRoutes } from './routes.ts';

const tokenOf = (name: string, roles: readonly Role[]): AccessToken => ({ name, roles, token: `the-token-of-${name}` });

const tokens = [
  tokenOf('all', ['read', 'act', 'bodies', 'manage']),
  tokenOf('read', ['read']),
  tokenOf('act', ['read', 'act']),
  tokenOf('bodies', ['read', 'bodies']),
  tokenOf('manage', ['read', 'manage']),
  tokenOf('no-role', []),
  { ...tokenOf('limited', ['read', 'act', 'bodies']), limits: [{ tenant: '9104', customer: '418' }] },
  { ...tokenOf('of-account', ['read', 'act', 'bodies']), limits: [{ tenant: '9104' }] },
];

/** Where requests come from, with the headers that a browser, or a program, sends from there. */
const sites = {
  'the same origin': (url: string, isPost: boolean) => ({
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    ...(isPost && { origin: url }),
  }),
  'another site': () => ({
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    origin: 'https://attacker.example',
  }),
  'no page': () => ({}),
} as const;

type Site = keyof typeof sites;

type Verdict = 'admitted' | 'sign in first' | 'refused' | 'failed';

interface Case {
  readonly route: NotedRoute;
  /** Undefined for who shows no token. */
  readonly caller: AccessToken | undefined;
  readonly site: Site;
  readonly hasTokens: boolean;
}

const isOfBoard = ({ url }: NotedRoute): boolean => url === '/' || url.startsWith('/board');

/** States the role of a route by what it does: a new one has to fit, or to be named here. */
function roleOf({ method, url }: NotedRoute): Needed {
  if (url.startsWith('/records/')) return 'receiver';
  if (/^\/(board\/(assets\/.*|sign-in|sign-out))?$/.test(url)) return 'none';
  // A name is a cookie of the browser.
  if (/^\/board\/name/.test(url)) return 'read';
  if (method === 'POST')
    return (url.includes('/destinations/') && !url.endsWith('/send-now')) ||
      /^(\/board)?\/(event-names\/|alerts\/test)/.test(url)
      ? 'manage'
      : 'act';
  return /\/body$|^\/((quarantine|webhooks)\/:id|announcements\/:subject.*)$/.test(url) ? 'bodies' : 'read';
}

/** Names the routes that are alike to whoever may use them. */
const groupOf = (route: NotedRoute): string =>
  [route.method, roleOf(route), isOfBoard(route), /\/bulk(\/:id\/\w+)?$/.test(route.url)].join();

/** States who may do what, without a look at the product's own rules. */
function expectedOf({ route, caller, site, hasTokens }: Case): Verdict {
  const { method } = route;
  const role = roleOf(route);
  // No token of an operator is that of a receiver, and no page or program is admitted without one.
  if (role === 'receiver') return 'sign in first';
  const byRole = (): Verdict => {
    if (!hasTokens) return 'admitted';
    if (!caller) return 'sign in first';
    // Who is limited may only send again, in bulk; what that is limited to depends on the body.
    const isBeyond = caller.limits !== undefined && role === 'act' && !/\/bulk(\/:id\/\w+)?$/.test(route.url);
    return caller.roles.includes(role as Role) && !isBeyond ? 'admitted' : 'refused';
  };
  if (!isOfBoard(route)) {
    const isPage = site === 'another site' || (site === 'the same origin' && method === 'POST');
    return !hasTokens && isPage ? 'refused' : byRole();
  }
  if (role === 'none' && method === 'GET') return 'admitted';
  const isOwn = site === 'the same origin' || (site === 'no page' && method === 'GET');
  if (!isOwn) return 'refused';
  return role === 'none' ? 'admitted' : byRole();
}

/** Sends a request whose path names nothing that exists, so that nothing is done. */
function send(url: string, { route, caller, site, hasTokens }: Case): Promise<Verdict> {
  const { method } = route;
  const session = caller && createSessions([caller]).open(caller);
  const headers = {
    ...sites[site](url, method === 'POST'),
    ...(caller && !isOfBoard(route) && { authorization: `Bearer ${caller.token}` }),
    ...(session && isOfBoard(route) && { cookie: `dockline-board=${session}` }),
  };
  const path = route.url.replace(':kind', 'order').replaceAll(/:\w+/g, '404');
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      response.destroy();
      const isDoor = answered.location?.startsWith('/board/sign-in') && route.url !== '/board/sign-out';
      // A form of the sign-in without a token is taken, and answered as a wrong one.
      // Many wrong tokens are answered 429.
      const isUnknown = ((status === 401 || status === 429) && route.role !== 'none') || isDoor;
      if (status >= 500) resolve('failed');
      resolve(status === 403 ? 'refused' : isUnknown ? 'sign in first' : 'admitted');
    });
    sent.on('error', (error) => reject(new Error(`${method} ${path}, tokens: ${hasTokens}`, { cause: error }))).end();
  });
}

describe('every route, for every role, from everywhere', () => {
  it.each([true, false])('admits whom it should, with tokens: %s', async (hasTokens) => {
    const routes = noteRoutes();
    const { url } = await openAdmin({
      store: await openTemporaryStore(),
      guide: exampleGuide,
      ...(hasTokens && { tokens }),
    });
    const callers = hasTokens ? [...tokens, undefined] : [undefined];
    const cases = routes.flatMap((route, index) => {
      const isLike = (other: NotedRoute) => groupOf(other) === groupOf(route);
      // One of each group is asked by everybody from everywhere, the others by those who may most and least.
      const isFirst = routes.findIndex(isLike) === index;
      const by = isFirst
        ? callers
        : callers.filter((it) => it === undefined || /^(all|no-role|limited)$/.test(it.name));
      const from = isFirst ? (Object.keys(sites) as Site[]) : (['no page'] as const);
      return by.flatMap((caller) => from.map((site): Case => ({ route, caller, site, hasTokens })));
    });
    expect(routes.length).toBeGreaterThan(30);
    const describe = ({ route: { method, url }, caller, site }: Case, verdict: Verdict) =>
      `${method} ${url} by ${caller?.name ?? 'nobody'} from ${site}: ${verdict}`;
    const found: string[] = [];
    for (const one of cases) found.push(describe(one, await send(url, one)));
    expect(found).toEqual(cases.map((one) => describe(one, expectedOf(one))));
  });
});

it('a route that does not declare its role keeps the application from being made', () => {
  const app = fastify();
  requireRoles(app);
  expect(() => app.get('/forgotten', () => '')).toThrow('The route GET /forgotten does not declare the role');
});
