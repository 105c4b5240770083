import { randomBytes } from 'node:crypto';
import type { Credential, Credentials } from './credential.ts';
import { unauthenticated, vendorError } from './vendor-error.ts';

/** The token response (specification 2.2). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: null;
  readonly scope: null;
}

/** What a token stands for: a credential, and the tenant whose data it was asked for. */
export interface Grant {
  readonly credential: Credential;
  readonly tplId: number;
}

/** The tokens that are valid now. */
export interface Tokens {
  /** Answers a token request; throws a VendorError for one that is refused. */
  issue(authorization: string | undefined, body: unknown): TokenResponse;
  /** What is behind a `Bearer` header; throws a VendorError where there is nothing. */
  authenticate(authorization: string | undefined): Grant;
  revokeAll(): void;
}

/** Issues tokens to the credentials of the given tenants, each good for the given time. */
export function createTokens(options: {
  readonly tenancies: readonly { readonly tplId: number; readonly credentials: Credentials }[];
  readonly lifetimeSeconds: number;
}): Tokens {
  const valid = new Map<string, Grant & { readonly expires: number }>();
  const grants = options.tenancies.flatMap(({ tplId, credentials }) =>
    Object.values(credentials).map((credential) => ({ tplId, credential })),
  );
  return {
    issue: (authorization, body) => {
      const possible = grants.filter(({ credential }) => authorization === basic(credential));
      const grant = chooseGrant(possible, body);
      const token = randomBytes(900).toString('base64url');
      valid.set(token, { ...grant, expires: Date.now() + options.lifetimeSeconds * 1000 });
      return toResponse(token, options.lifetimeSeconds);
    },
    authenticate: (authorization) => {
      const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
      const grant = token === undefined ? undefined : valid.get(token);
      if (!grant || grant.expires <= Date.now()) {
        throw unauthenticated('Authorization has been denied for this request.');
      }
      return grant;
    },
    revokeAll: () => valid.clear(),
  };
}

/** Of the tenants that a credential is good for, the one that the request names; a static credential is good for one only. */
function chooseGrant(possible: readonly Grant[], body: unknown): Grant {
  const [first] = possible;
  if (!first) throw unauthenticated('invalid_client: client not registered');
  const tpl = readRequest(first.credential, body);
  if (tpl === undefined) return first;
  const chosen = possible.find(({ credential }) => credential.tpl.toLowerCase() === tpl.toLowerCase());
  // How an unknown tenant is refused is a guess.
  if (!chosen) throw unauthenticated('invalid_client: tpl not registered');
  return chosen;
}

function basic({ clientId, clientSecret }: Credential): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/** The `tpl` of a request that needs one; throws a VendorError for a request that is not as it should be. */
function readRequest({ type }: Credential, body: unknown): string | undefined {
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  if (fields.grant_type === undefined) throw vendorError(400, 'Required', 'grant_type');
  if (fields.grant_type !== 'client_credentials') throw vendorError(400, 'NotParsable', 'grant_type');
  if (typeof fields.user_login !== 'string' || fields.user_login === '')
    throw vendorError(400, 'Required', 'user_login');
  return type === 'singleTenantDynamic' ? readTpl(fields.tpl) : undefined;
}

function readTpl(tpl: unknown): string {
  if (typeof tpl !== 'string' || tpl === '') throw vendorError(400, 'Required', 'tpl');
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tpl)) throw vendorError(400, 'NotParsable', 'tpl');
  return tpl;
}

function toResponse(token: string, lifetimeSeconds: number): TokenResponse {
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    refresh_token: null,
    scope: null,
  };
}
