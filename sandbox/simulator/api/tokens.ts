import { hash, randomBytes } from 'node:crypto';
import { memberOf } from '../../../src/base/json.ts';
import type { MannersHolder } from '../manners.ts';
import { unauthenticated, vendorError } from './vendor-error.ts';

/** Kind of credential (specification 5.1). */
export type CredentialType = 'singleTenantStatic' | 'singleTenantDynamic' | 'multiTenant';

/** Credential of a client of the simulator. */
export interface Credential {
  readonly type: CredentialType;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** GUID of the tenant in a token request; only a dynamic credential needs it. */
  readonly tpl: string;
}

/** One credential of each type. */
export type Credentials = Readonly<Record<CredentialType, Credential>>;

/** Derives a tenant's credentials from the seed, so that clients survive a restart. All tenants share all but the static one. */
export function createCredentials(seed: number, { tplId, tpl }: { tplId: number; tpl?: string }): Credentials {
  const create = (type: CredentialType, name: string): Credential => ({
    type,
    clientId: toGuid(hash('sha256', `${seed}/${name}/id`)),
    clientSecret: hash('sha256', `${seed}/${name}/secret`),
    userLogin: 'integration@dockline.example',
    tpl: tpl ?? toGuid(hash('sha256', `${seed}/${tplId}/tpl`)),
  });
  return {
    singleTenantStatic: create('singleTenantStatic', `${tplId}/static`),
    singleTenantDynamic: create('singleTenantDynamic', 'dynamic'),
    multiTenant: create('multiTenant', 'multi'),
  };
}

const toGuid = (hex: string): string => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Credential with the tenant whose data a token gives access to. */
interface Grant {
  readonly credential: Credential;
  readonly tplId: number;
}

/** Tokens that are valid now. */
export type Tokens = ReturnType<typeof createTokens>;

/** Issues tokens with the given lifetime to the credentials of the tenants. */
export function createTokens(
  tenants: readonly { readonly tplId: number; readonly credentials: Credentials }[],
  lifetimeSeconds: number,
  manners: MannersHolder,
) {
  const valid = new Map<string, Grant & { readonly expires: number }>();
  const grants = tenants.flatMap(({ tplId, credentials }) =>
    Object.values(credentials).map((credential) => ({ tplId, credential })),
  );
  /** Returns the grant of a `Bearer` header. Throws a VendorError if the token is not valid. */
  const authenticate = (authorization = ''): Grant => {
    const grant = valid.get(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? '');
    if (grant && grant.expires > Date.now()) return grant;
    throw unauthenticated('Authorization has been denied for this request.');
  };
  const add = (grant: Grant) => {
    const { token: form, oneToken } = manners.current();
    const secret = randomBytes(900).toString('base64url');
    const token = form === 'jwt' ? writeClaims(grant, lifetimeSeconds, secret) : secret;
    if (oneToken) for (const [other, { credential }] of valid) if (credential === grant.credential) valid.delete(other);
    valid.set(token, { ...grant, expires: Date.now() + lifetimeSeconds * 1000 });
    return token;
  };
  return {
    /** Answers a token request (specification 2.2). Throws a VendorError if it is refused. */
    issue(authorization: string | undefined, body: unknown) {
      const possible = grants.filter(({ credential }) => authorization === basic(credential));
      const grant = chooseGrant(possible, body);
      // The answer of the real one is a guess.
      if (manners.current().checksLogin && loginIn(body) !== grant.credential.userLogin)
        throw unauthenticated('invalid_grant: user login not found');
      const standard = { token_type: 'Bearer', refresh_token: null, scope: null };
      return { ...standard, access_token: add(grant), expires_in: lifetimeSeconds };
    },
    /** Gives another client of the same credential a token. Throws a VendorError if the given one is not valid any more. */
    takeFrom(authorization?: string) {
      add(authenticate(authorization));
      authenticate(authorization);
    },
    authenticate,
    revokeAll: () => valid.clear(),
  };
}

/** Writes a JSON Web Token; no claim of the real ones is known. */
function writeClaims({ credential, tplId }: Grant, lifetimeSeconds: number, signature: string): string {
  const claims = {
    iss: 'simulated warehouse',
    client_id: credential.clientId,
    user_login: credential.userLogin,
    tplId,
    roles: ['OrderView', 'CustomerView'],
    exp: Math.floor(Date.now() / 1000) + lifetimeSeconds,
  };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}.${signature}`;
}

/** Chooses the tenant that a dynamic credential's request names; any other credential has one grant to choose. */
function chooseGrant(possible: readonly Grant[], body: unknown): Grant {
  const [first] = possible;
  if (!first) throw unauthenticated('invalid_client: client not registered');
  const tpl = readRequest(first.credential, body)?.toLowerCase();
  const chosen = tpl === undefined ? first : possible.find(({ credential }) => credential.tpl.toLowerCase() === tpl);
  // The refusal of an unknown tenant is a guess.
  if (!chosen) throw unauthenticated('invalid_client: tpl not registered');
  return chosen;
}

function basic({ clientId, clientSecret }: Credential): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

/** Clients name their user by its login or, under another name, by its id; here both have the same value. */
const loginIn = (body: unknown): unknown => memberOf(body, 'user_login') ?? memberOf(body, 'user_login_id');

/** Reads the `tpl` of a dynamic credential's request. Throws a VendorError if a field is missing or malformed. */
function readRequest({ type }: Credential, body: unknown): string | undefined {
  const fields = { ...(body as Readonly<Record<string, unknown>> | null), user_login: loginIn(body) };
  const read = (name: string, pattern: RegExp) => {
    const value = (fields as Readonly<Record<string, unknown>>)[name];
    if (typeof value !== 'string' || value === '') throw vendorError(400, 'Required', name);
    if (!pattern.test(value)) throw vendorError(400, 'NotParsable', name);
    return value;
  };
  read('grant_type', /^client_credentials$/);
  read('user_login', /./);
  return type === 'singleTenantDynamic' ? read('tpl', GUID) : undefined;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
