import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopbackAuthority } from '../base/loopback.ts';
import type { Limit } from '../domain/permission.ts';
import { createFinder, readCredentials } from '../http/credentials.ts';
import type { SignIns } from '../http/peers.ts';
import { Problem } from '../http/problem.ts';

/** `read`: lists and pages; `bodies`: of webhooks and announcements; `manage`: destinations. */
export const roles = ['read', 'act', 'bodies', 'manage'] as const;

export type Role = (typeof roles)[number];

export interface Caller {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Undefined for the whole installation. */
  readonly limits?: readonly Limit[] | undefined;
  /** Given by a person; not verified. */
  readonly operator?: string | undefined;
}

export const personOf = ({ name, operator }: Caller): string => operator ?? name;

export const operatorIn = (given: unknown): string | undefined =>
  typeof given === 'string' && /^[\p{L}\p{M}\p{N} ._@'-]{1,100}$/u.test(given.trim()) ? given.trim() : undefined;

/** `acme@9104/77`: with other limits a token is another identity. */
export const identityOf = ({ name, limits }: Pick<Caller, 'name' | 'limits'>): string =>
  limits === undefined ? name : `${name}@${[...new Set(limits.map(nameLimit))].toSorted().join('+')}`;

const nameLimit = ({ tenant, customer }: Limit): string => (customer === undefined ? tenant : `${tenant}/${customer}`);

export interface AccessToken extends Caller {
  readonly token: string;
}

/** Where no token is configured: a program, or the board. */
export const localCaller: Caller = { name: 'an operator on this machine', roles };

export type Needed = Role | 'none' | 'receiver';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `none` admits anybody, `receiver` a destination's token. Addresses without a route need `read`. */
    readonly role?: Needed;
    /** Changes something, and keeps within a token's limits by itself; other changes are not for limited tokens. */
    readonly keepsLimits?: true;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

export const needs = Object.fromEntries(
  (['none', 'receiver', ...roles] as const).map((role) => [role, { config: { role } }]),
) as Readonly<Record<Needed, { readonly config: { readonly role: Needed } }>>;

export const neededBy = ({ role, keepsLimits }: { readonly role: Role; readonly keepsLimits?: true }) => ({
  config: { role, ...(keepsLimits && { keepsLimits }) },
});

export function requireRoles(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.role === undefined)
      throw new Error(`The route ${method} ${url} does not declare the role that it needs.`);
  });
}

type Admission = (request: FastifyRequest) => Caller;

/** In constant time. Answers 429 after many wrong ones. */
export function admitByToken(tokens: readonly AccessToken[], signIns: SignIns): Admission {
  const find = createFinder(tokens, ({ token }) => token);
  return ({ ip, headers }) => {
    const offered = readCredentials('Bearer', headers.authorization);
    const found = offered === undefined ? undefined : signIns.check(ip, () => find(offered));
    if (found) return found;
    throw new Problem(401, 'The bearer token is missing or wrong.');
  };
}

/** But no web page in a browser on it: that sends its origin or its site, or has a name that was made to lead here. */
export const admitPrograms: Admission = ({ headers, host }) => {
  const isOfPage = headers.origin !== undefined || /^(cross|same)-site$/.test(String(headers['sec-fetch-site']));
  if (!isOfPage && isLoopbackAuthority(host)) return localCaller;
  throw new Problem(403, 'Without ADMIN_TOKEN only programs on this machine are admitted, at localhost.');
};

export const isPublic = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config.role === 'none';

export function authorize({ routeOptions }: FastifyRequest, caller: Caller): void {
  const { role = 'read', keepsLimits } = routeOptions.config;
  if (role === 'none') return;
  if (role === 'receiver' || !caller.roles.includes(role))
    throw new Problem(403, `The token "${caller.name}" does not have the role "${role}".`);
  if (may(caller, role) || keepsLimits) return;
  throw new Problem(403, `The token "${caller.name}" is limited: it reads, and sends again to its own destinations.`);
}

/** Everywhere; a limited caller only reads. */
export const may = ({ roles, limits }: Caller, role: Role): boolean =>
  roles.includes(role) && (limits === undefined || role === 'read' || role === 'bodies');

export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller;
  throw new Error('The route admits anybody.');
}
