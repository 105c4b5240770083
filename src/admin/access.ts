import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../base/loopback.ts';
import type { Limit } from '../domain/limit.ts';
import { createFinder, readCredentials } from '../http/credentials.ts';
import { Problem } from '../http/problem.ts';
import type { SignIns } from '../http/sign-ins.ts';

/** Roles of a token: it reads lists and pages, acts, reads the bodies of webhooks and announcements, or manages destinations. */
export const roles = ['read', 'act', 'bodies', 'manage'] as const;

export type Role = (typeof roles)[number];

/** Sender of a request. */
export interface Caller {
  /** Name of the token. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** Parts of the installation that it is limited to; undefined for all of it. */
  readonly limits?: readonly Limit[] | undefined;
}

/** Token of the administrative API and the board. */
export interface AccessToken extends Caller {
  readonly token: string;
}

/** Caller on this machine where no token is configured, by the name that people read: of a program, or of the board. */
export const localCaller: Caller = { name: 'an operator on this machine', roles };

/** Role, or other condition, that a route asks of a request. */
export type Needed = Role | 'none' | 'receiver';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Role that the route needs; `none` admits anybody, `receiver` whoever shows the token of a destination. Addresses without a route need `read`. */
    readonly role?: Needed;
    /** The route changes something, and keeps within the limits of a token by itself; others that do are not for limited tokens. */
    readonly keepsLimits?: true;
  }
  interface FastifyRequest {
    /** Undefined if the request shows no token. */
    caller: Caller | undefined;
  }
}

/** Options of routes by the role that they need. */
export const needs: { readonly [R in Needed]: { readonly config: { readonly role: Needed } } } = {
  none: { config: { role: 'none' } },
  receiver: { config: { role: 'receiver' } },
  read: { config: { role: 'read' } },
  act: { config: { role: 'act' } },
  bodies: { config: { role: 'bodies' } },
  manage: { config: { role: 'manage' } },
};

/** Refuses to add routes that do not declare their role, so that none is open by mistake. */
export function requireRoles(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.role === undefined)
      throw new Error(`The route ${method} ${url} does not declare the role that it needs.`);
  });
}

/** Returns the caller of a request, or throws the Problem that refuses it. */
type Admission = (request: FastifyRequest) => Caller;

/** Admits requests with a token as `Authorization: Bearer`, which is compared in constant time. Answers 429 to a peer that shows many wrong ones. */
export function admitByToken(tokens: readonly AccessToken[], signIns: SignIns): Admission {
  const find = createFinder(tokens, ({ token }) => token);
  return ({ ip, headers }) => {
    const offered = readCredentials('Bearer', headers.authorization);
    const found = offered === undefined ? undefined : signIns.check(ip, () => find(offered));
    if (found) return found;
    throw new Problem(401, 'The bearer token is missing or wrong.');
  };
}

/**
 * Admits what runs on this machine, but no web page that a browser on it shows: a page sends its origin or its site, or has to be served
 * under a name that was made to lead here.
 */
export const admitPrograms: Admission = ({ headers, hostname }) => {
  const isOfPage = headers.origin !== undefined || /^(cross|same)-site$/.test(String(headers['sec-fetch-site']));
  if (!isOfPage && isLoopback(hostname)) return localCaller;
  throw new Problem(403, 'Without ADMIN_TOKEN only programs on this machine are admitted, at localhost.');
};

/** Reports whether a route admits anybody. */
export const isPublic = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.role === 'none';

/** Refuses a caller without the role of the route, or whose token is limited and would change something. @throws Problem 403 */
export function authorize({ routeOptions }: FastifyRequest, caller: Caller): void {
  const { role = 'read', keepsLimits } = routeOptions.config;
  if (role === 'none') return;
  if (role === 'receiver' || !caller.roles.includes(role))
    throw new Problem(403, `The token "${caller.name}" does not have the role "${role}".`);
  if (may(caller, role) || keepsLimits) return;
  throw new Problem(403, `The token "${caller.name}" is limited: it reads, and sends again to its own destinations.`);
}

/** Reports whether a caller has a role everywhere; who is limited only reads. */
export const may = ({ roles, limits }: Caller, role: Role): boolean =>
  roles.includes(role) && (limits === undefined || role === 'read' || role === 'bodies');

/** Returns the admitted caller of a request. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller;
  throw new Error('The route admits anybody.');
}
