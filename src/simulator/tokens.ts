import { randomBytes } from 'node:crypto';
import type { Credential } from './credential.ts';
import { unauthenticated, vendorError } from './vendor-error.ts';

/** The token response (specification 2.2). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: null;
  readonly scope: null;
}

/** The tokens that are valid now. */
export interface Tokens {
  /** Answers a token request; throws a VendorError for one that is refused. */
  issue(authorization: string | undefined, body: unknown): TokenResponse;
  /** The credential behind a `Bearer` header; throws a VendorError where there is none. */
  authenticate(authorization: string | undefined): Credential;
  revokeAll(): void;
}

/** Issues tokens to the given credentials, each good for the given time. */
export function createTokens(options: {
  readonly credentials: readonly Credential[];
  readonly lifetimeSeconds: number;
}): Tokens {
  const valid = new Map<string, { readonly credential: Credential; readonly expires: number }>();
  return {
    issue: (authorization, body) => {
      const credential = options.credentials.find((candidate) => authorization === basic(candidate));
      if (!credential) throw unauthenticated('invalid_client: client not registered');
      checkRequest(credential, body);
      const token = randomBytes(900).toString('base64url');
      valid.set(token, { credential, expires: Date.now() + options.lifetimeSeconds * 1000 });
      return toResponse(token, options.lifetimeSeconds);
    },
    authenticate: (authorization) => {
      const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
      const grant = token === undefined ? undefined : valid.get(token);
      if (!grant || grant.expires <= Date.now()) {
        throw unauthenticated('Authorization has been denied for this request.');
      }
      return grant.credential;
    },
    revokeAll: () => valid.clear(),
  };
}

function basic({ clientId, clientSecret }: Credential): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

function checkRequest(credential: Credential, body: unknown): void {
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  if (fields.grant_type === undefined) throw vendorError(400, 'Required', 'grant_type');
  if (fields.grant_type !== 'client_credentials') throw vendorError(400, 'NotParsable', 'grant_type');
  if (typeof fields.user_login !== 'string' || fields.user_login === '')
    throw vendorError(400, 'Required', 'user_login');
  if (credential.type === 'singleTenantDynamic') checkTpl(credential, fields.tpl);
}

function checkTpl(credential: Credential, tpl: unknown): void {
  if (typeof tpl !== 'string' || tpl === '') throw vendorError(400, 'Required', 'tpl');
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tpl)) throw vendorError(400, 'NotParsable', 'tpl');
  // How an unknown operator is refused is a guess.
  if (tpl.toLowerCase() !== credential.tpl) throw unauthenticated('invalid_client: tpl not registered');
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
