import { isObject } from '../../base/json.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { type DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import type { ApiOptions } from '../../warehouse/client/api.ts';
import { createTokens, tokenUrl } from '../../warehouse/client/token.ts';
import { createTransport } from '../../warehouse/client/transport.ts';
import { failed, ok, type Reporter } from './check.ts';

export async function checkToken(
  { check }: Reporter,
  tenant: TenantSettings,
  options: Pick<ApiOptions, 'timeoutMs' | 'proxies'>,
): Promise<boolean> {
  const { authUrl, paths } = tenant;
  const hasToken = await check<boolean>('token', `POST ${tokenUrl(authUrl, paths.token)}`, async (signal) => {
    try {
      const send = createTransport({ ...options, baseUrl: authUrl });
      const token = await createTokens({ ...tenant, tokenPath: paths.token, send }).current(signal);
      return ok(`was issued: ${describeClaims(token)}`, true);
    } catch (error) {
      const { code } = error as DocklineError;
      return failed(messageOf(error), advice[code] ?? 'Try again; if it stays so, ask the warehouse.');
    }
  });
  return hasToken ?? false;
}

const advice: { readonly [Code in FailureCode]?: string } = {
  ERR_WAREHOUSE_UNAUTHENTICATED: 'Compare the setting that is named with what the warehouse gave you.',
  ERR_WAREHOUSE_TOKEN:
    'Compare WAREHOUSE_AUTH_URL with what the warehouse gave you: a base address, to which /AuthServer/api/Token is added. Check that this machine may connect to it (DNS, firewall; HTTPS_PROXY if only a proxy may).',
};

/** A guess: claims are not documented. */
const telling = /tpl|tenant|third.?party|customer|facility|role|scope|permission|user|login|^(iss|aud|sub|client_id)$/i;

/** RFC 7519; never the token. */
function describeClaims(token: string): string {
  const claims = claimsOf(token);
  if (!claims) return 'opaque, so it does not say what it is for';
  const shown = Object.entries(claims)
    .filter(([name]) => telling.test(name))
    .map(([name, value]) => `${name} ${textOf(value)}`);
  return ['a JSON Web Token', ...shown, expiry(claims.exp)].filter(Boolean).join(', ');
}

function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload = '', ...rest] = token.split('.');
  if (rest.length !== 1) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Characters. */
const LIMIT = 200;

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/[^\x20-\x7e]/g, '?').slice(0, LIMIT);

function expiry(exp: unknown): string {
  if (typeof exp !== 'number') return '';
  const minutes = Math.round((exp * 1000 - Date.now()) / 60_000);
  return minutes > 0 ? `expires in ${minutes} minutes` : `expired ${-minutes} minutes ago by this machine's clock`;
}
