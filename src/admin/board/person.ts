import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, callerOf, localCaller, needs, operatorIn } from '../access.ts';
import { ownAddress } from './addresses.ts';
import { cookiesOf, keepCookie } from './cookies.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { Respond } from './responder.ts';

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

/** Then goes on with the form that was sent. */
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
