import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignIns } from '../../http/peers.ts';
import { type Caller, callerOf, localCaller, needs, operatorIn } from '../access.ts';
import { listAddress, ownAddress } from './addresses.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { Respond } from './responder.ts';
import { cookiesOf, type EndedSessions, keepCookie, keepSession, type Sessions, sessionsOf } from './session.ts';

const COOKIE = 'dockline-person';

/** Seconds: a year. */
const KEPT = 31_536_000;

const FIELD = 'operator';

type Fields = Readonly<Record<string, string>>;

export function withPerson(request: FastifyRequest, caller: Caller): Caller {
  const [text = ''] = cookiesOf(request, COOKIE);
  const operator = operatorIn(Buffer.from(text, 'base64url').toString());
  return operator === undefined ? caller : { ...caller, operator };
}

/** Takes it out of the form, and keeps it. True if there is one: a token has a name for whoever holds it. */
export function takeName(request: FastifyRequest, reply: FastifyReply): boolean {
  const { [FIELD]: given, ...fields } = (request.body ?? {}) as Fields;
  const operator = operatorIn(given);
  if (operator !== undefined) {
    request.body = fields;
    request.caller = { ...callerOf(request), operator };
    keepCookie(reply, COOKIE, Buffer.from(operator).toString('base64url'), KEPT);
  }
  const { name, operator: known } = callerOf(request);
  return known !== undefined || name !== localCaller.name;
}

export function personRoutes(app: FastifyInstance, respond: Respond): void {
  app.get('/name', needs.read, (request, reply) => respond(reply, namePage(request)));
  app.post('/name', needs.read, (request, reply) =>
    takeName(request, reply) ? reply.redirect('/board', 303) : respond(reply, namePage(request)),
  );
}

export const namePage = ({ url, method, body }: FastifyRequest): Page => ({
  title: 'Your name',
  content: html`<div class="card door"><h1>Your name</h1>
<form class="stack" method="post" action="${ownAddress(url)}">
${method === 'POST' && Object.entries((body ?? {}) as Fields).map(([name, value]) => name !== FIELD && html`<input type="hidden" name="${name}" value="${value}">`)}
<label>Shown to others with what you take, note and acknowledge <input name="${FIELD}" maxlength="60" autocomplete="name" required autofocus></label>
<button class="primary">Continue</button>
</form>
<p class="muted">Letters, digits, spaces and . _ @ ' -. This browser keeps it.</p></div>`,
});

export function signInRoutes(
  app: FastifyInstance,
  {
    sessions,
    endedSessions,
    signIns,
  }: { readonly sessions: Sessions; readonly endedSessions: EndedSessions; readonly signIns: SignIns },
  respond: Respond,
): void {
  const text = (values: unknown, name: string) => {
    const value = (values as Readonly<Record<string, unknown>> | null)?.[name];
    return typeof value === 'string' ? value : '';
  };

  app.get('/sign-in', needs.none, async (request, reply) => {
    const to = ownAddress(text(request.query, 'to'));
    return request.caller ? reply.redirect(to, 303) : respond(reply, signInPage(to));
  });

  app.post('/sign-in', needs.none, async (request, reply) => {
    const to = ownAddress(text(request.body, 'to'));
    const offered = text(request.body, 'token').trim();
    const token = signIns.check(request.ip, () => sessions.find(offered));
    if (!token) return respond(reply.code(401), signInPage(to, 'That is not a token of this installation.'));
    keepSession(sessions.open(token), request, reply);
    return reply.redirect(to, 303);
  });

  app.post('/sign-out', needs.none, async (request, reply) => {
    for (const { session } of sessionsOf(request, sessions)) await endedSessions.add(session);
    keepSession(undefined, request, reply);
    return reply.redirect('/board/sign-in', 303);
  });
}

/** A browser sends no session with another site's link, so that one is followed again from here before it leads to the door. */
export function doorFor({ method, headers, url }: FastifyRequest) {
  const to = ownAddress(method === 'GET' ? url : pathOf(headers.referer));
  if (headers['sec-fetch-site'] === 'cross-site') return { page: loginRedirect(to) };
  return { address: to === '/board' ? '/board/sign-in' : listAddress('/board/sign-in', { to }) };
}

export function pathOf(address: string | undefined): string | undefined {
  const { pathname, search } = new URL(address !== undefined && URL.canParse(address) ? address : 'http://board/board');
  return pathname + search;
}

const loginRedirect = (to: string): Page => ({
  title: 'One moment',
  content: html`<meta http-equiv="refresh" content="0; url=${to}"><p><a href="${to}">Open the board</a></p>`,
});

const signInPage = (to: string, problem?: string): Page => ({
  title: 'Sign in',
  content: html`
<div class="card door">
<h1>Sign in</h1>
<form class="stack" method="post" action="/board/sign-in">
${problem && html`<p class="problem" role="alert" id="problem">${problem}</p>`}
<input type="hidden" name="to" value="${to}">
<label>Token <input name="token" type="password" autocomplete="current-password" required autofocus${problem && html` aria-describedby="problem" aria-invalid="true"`}></label>
<button class="primary">Sign in</button>
</form>
<p class="muted">Ask your administrator for a token. You stay signed in for twelve hours.</p>
</div>`,
});
