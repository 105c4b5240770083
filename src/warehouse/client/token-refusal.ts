import type { Answer } from './transport.ts';

/**
 * Says what is wrong with the settings of a refused token request. Of the answer's text, which is not specified, it only looks for
 * the codes of OAuth (RFC 6749, section 5.2) and for the name of the field that is at fault.
 */
export function explainTokenRefusal(authUrl: string, { status, text }: Pick<Answer, 'status' | 'text'>): string {
  if (isElsewhere(status)) return explainAddress(authUrl);
  return causes.find(({ sign }) => sign.test(text))?.cause ?? UNNAMED;
}

const LOGIN = 'the warehouse does not know the user login (WAREHOUSE_USER_LOGIN)';

/** Causes by their signs, the most telling first. */
const causes: readonly { readonly sign: RegExp; readonly cause: string }[] = [
  { sign: /user.?(login|name)/i, cause: LOGIN },
  { sign: /\btpl/i, cause: 'the credential does not belong to the account that WAREHOUSE_TPL names' },
  {
    sign: /(invalid|unauthorized)_client/i,
    cause: 'the client id or the client secret is wrong (WAREHOUSE_CLIENT_ID, WAREHOUSE_CLIENT_SECRET)',
  },
  { sign: /invalid_grant|\buser\b/i, cause: LOGIN },
];

const UNNAMED =
  'the client id, the client secret or the user login is wrong (WAREHOUSE_CLIENT_ID, WAREHOUSE_CLIENT_SECRET, WAREHOUSE_USER_LOGIN)';

/** Redirects are not followed: a credential goes to the configured address only. */
const isElsewhere = (status: number): boolean => status < 400 || status === 404 || status === 405 || status === 410;

function explainAddress(authUrl: string): string {
  const path = new URL(authUrl).pathname.replace(/\/+$/, '');
  const base = 'WAREHOUSE_AUTH_URL is a base address, to which /AuthServer/api/Token is added';
  return path ? `${base}; leave out its path ${path}` : `${base}; there is no token server at this one`;
}
