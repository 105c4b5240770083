import { randomBytes } from 'node:crypto';
import type { Credential, Credentials } from './credential.ts';
import { unauthenticated, vendorError } from './vendor-error.ts';

/** Credential with the tenant whose data a token gives access to. */
export interface Grant {
  readonly credential: Credential;
  readonly tplId: number;
}

/** Tokens that are valid now. */
export type Tokens = ReturnType<typeof createTokens>;

/** Issues tokens with the given lifetime to the credentials of the tenants. */
export function createTokens(
  tenants: readonly { readonly tplId: number; readonly credentials: Credentials }[],
  lifetimeSeconds: number,
) {
  const valid = new Map<string, Grant & { readonly expires: number }>();
  const grants = tenants.flatMap(({ tplId, credentials }) =>
    Object.values(credentials).map((credential) => ({ tplId, credential })),
  );
  return {
    /** Answers a token request (specification 2.2). Throws a VendorError if it is refused. */
    issue(authorization: string | undefined, body: unknown) {
      const possible = grants.filter(({ credential }) => authorization === basic(credential));
      const grant = chooseGrant(possible, body);
      const token = randomBytes(900).toString('base64url');
      valid.set(token, { ...grant, expires: Date.now() + lifetimeSeconds * 1000 });
      const standard = { token_type: 'Bearer', refresh_token: null, scope: null };
      return { ...standard, access_token: token, expires_in: lifetimeSeconds };
    },
    /** Returns the grant of a `Bearer` header. Throws a VendorError if the token is not valid. */
    authenticate(authorization = ''): Grant {
      const grant = valid.get(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? '');
      if (grant && grant.expires > Date.now()) return grant;
      throw unauthenticated('Authorization has been denied for this request.');
    },
    revokeAll: () => valid.clear(),
  };
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

/** Reads the `tpl` of a dynamic credential's request. Throws a VendorError if a field is missing or malformed. */
function readRequest({ type }: Credential, body: unknown): string | undefined {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const read = (name: string, pattern: RegExp) => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw vendorError(400, 'Required', name);
    if (!pattern.test(value)) throw vendorError(400, 'NotParsable', name);
    return value;
  };
  read('grant_type', /^client_credentials$/);
  read('user_login', /./);
  return type === 'singleTenantDynamic' ? read('tpl', GUID) : undefined;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
