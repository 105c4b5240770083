import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { type DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import { createTokens, tokenUrl } from '../../warehouse/client/token.ts';
import { createTransport } from '../../warehouse/client/transport.ts';
import { type Examiner, failed, ok } from './check.ts';
import { describeClaims } from './claims.ts';

/** Requests a token and says what its claims are. Reports whether there is one. */
export async function checkToken(
  { check }: Examiner,
  { access, conventions: { paths } }: Pick<TenantSettings, 'access' | 'conventions'>,
  timeoutMs: number,
): Promise<boolean> {
  const hasToken = await check<boolean>('token', `POST ${tokenUrl(access.authUrl, paths.token)}`, async (signal) => {
    try {
      const send = createTransport({ baseUrl: access.authUrl, timeoutMs });
      const token = await createTokens({ ...access, tokenPath: paths.token, send }).current(signal);
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
  ERR_WAREHOUSE_UNREACHABLE:
    'Compare WAREHOUSE_AUTH_URL with what the warehouse gave you, and check that this machine may connect to it (DNS, firewall, proxy).',
  ERR_WAREHOUSE_UNREADABLE:
    'This is not a token server. WAREHOUSE_AUTH_URL is a base address, to which /AuthServer/api/Token is added: leave out any path.',
};
