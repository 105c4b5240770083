import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopbackAuthority } from '../base/loopback.ts';
import type { Limit } from '../domain/limit.ts';
import { createFinder, readCredentials } from '../http/credentials.ts';
import { Problem } from '../http/problem.ts';
import type { SignIns } from '../http/sign-ins.ts';

/** Roles of a token: it reads lists and pages, acts, reads the bodies of webhooks and announcements, or manages destinations. */
export const roles = ['read', 'act', 'bodies', 'manage'] as const;

export type Role = (typeof roles)[number];

export interface Caller {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Undefined for the whole installation. */
  readonly limits?: readonly Limit[] | undefined;
  /** Name that a person gave, which nobody verifies. */
  readonly operator?: string | undefined;
}

export const personOf = ({ name, operator }: Caller): string => operator ?? name;

/** Undefined for what is no name of a person. */
export const operatorIn = (given: unknown): string | undefined =>
  typeof given === 'string' && /^[\p{L}\p{M}\p{N} ._@'-]{1,100}$/u.test(given.trim()) ? given.trim() : undefined;

/** Returns a token's name with its limits, `acme@9104/77`: a token that is limited otherwise is another identity. */
export const identityOf = ({ name, limits }: Pick<Caller, 'name' | 'limits'>): string =>
  limits === undefined ? name : `${name}@${[...new Set(limits.map(nameLimit))].toSorted().join('+')}`;

const nameLimit = ({ tenant, customer }: Limit): string => (customer === undefined ? tenant : `${tenant}/${customer}`);

export interface AccessToken extends Caller {
  readonly token: string;
}

/** Caller on this machine where no token is configured, by the name that people read: of a program, or of the board. */
export const localCaller: Caller = { name: 'an operator on this machine', roles };

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

export const needs: { readonly [R in Needed]: { readonly config: { readonly role: Needed } } } = {
  none: { config: { role: 'none' } },
  receiver: { config: { role: 'receiver' } },
  read: { config: { role: 'read' } },
  act: { config: { role: 'act' } },
  bodies: { config: { role: 'bodies' } },
  manage: { config: { role: 'manage' } },
};

/** Of a route of a call. */
export const neededBy = ({ role, keepsLimits }: { readonly role: Role; readonly keepsLimits?: true }) => ({
  config: { role, ...(keepsLimits && { keepsLimits }) },
});

/** Refuses to add routes that do not declare their role, so that none is open by mistake. */
export function requireRoles(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.role === undefined)
      throw new Error(`The route ${method} ${url} does not declare the role that it needs.`);
  });
}

/** @throws Problem that refuses the request */
type Admission = (request: FastifyRequest) => Caller;

/** Compares tokens in constant time. Answers 429 to a peer that shows many wrong ones. */
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
export const admitPrograms: Admission = ({ headers, host }) => {
  const isOfPage = headers.origin !== undefined || /^(cross|same)-site$/.test(String(headers['sec-fetch-site']));
  if (!isOfPage && isLoopbackAuthority(host)) return localCaller;
  throw new Problem(403, 'Without ADMIN_TOKEN only programs on this machine are admitted, at localhost.');
};

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

/** Reports whether a caller has a role everywhere; a limited one only reads. */
export const may = ({ roles, limits }: Caller, role: Role): boolean =>
  roles.includes(role) && (limits === undefined || role === 'read' || role === 'bodies');

export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller;
  throw new Error('The route admits anybody.');
}
