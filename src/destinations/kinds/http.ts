import { z } from 'zod';
import { detailForms, findDetailProblems } from '../../forms/detail-forms.ts';
import { bearerToken, destinationAddress, isPlainText, signingSecrets, splitCredentials } from '../../forms/forms.ts';
import { headersForm } from '../../forms/header-forms.ts';
import { findTlsProblems, tlsForms, withTls } from '../../forms/pem-files.ts';
import { proxyOf, throughProxy } from '../../http/proxies.ts';
import { adviseOnPost } from './http-advice.ts';
import { createDestination } from './http-destination.ts';
import { defineKind } from './kind.ts';

const forms = {
  url: destinationAddress.describe(
    'Address for POSTs, `https://host/path`. A user and a password in it are sent as HTTP Basic; percent-encode them: `https://user:pass%40word@host/path`.',
  ),
  allowHttp: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'Plain http is refused beyond loopback unless this is `yes`: announcements, and what is sent with them, travel there readable.',
    ),
  secret: signingSecrets.describe(
    'Secret that signs announcements (`whsec_` and base64), or several while one is replaced: all of them sign.',
  ),
  headers: headersForm
    .default({})
    .describe(
      'Further headers of each POST, by name, such as the key of an API gateway, or `content-type` with `application/json` for a receiver that takes nothing else.',
    ),
  bearer: bearerToken.optional().describe('Token that is sent as `Authorization: Bearer`.'),
  ...tlsForms,
  ...detailForms,
};

/** POST to an address, as {@link createDestination} describes it. */
export const http = defineKind({
  about: 'POSTs',
  forms,
  rules({ url = '', allowHttp, headers, bearer, detail, maxBytes, ...tls }, consent) {
    const ways = [splitCredentials(url).credentials, bearer, headers?.authorization].filter(Boolean);
    return [
      [
        isPlainText(url, 'http') && allowHttp !== 'yes',
        'url',
        `is plain http beyond loopback, which shows announcements to the network; set ${consent('allowHttp')} to accept that`,
      ],
      [
        ways.length > 1,
        bearer ? 'bearer' : 'headers',
        'is one of several: set the user in the address, a bearer token or a header Authorization',
      ],
      ...findDetailProblems({ detail, maxBytes }),
      ...findTlsProblems({ ...tls, url }, 'https'),
    ];
  },
  toSettings(parsed) {
    const { url: given, allowHttp: _, headers: own, bearer, ...rest } = withTls(parsed);
    const { url, credentials } = splitCredentials(given);
    const basic = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    const authorization = bearer === undefined ? basic : `Bearer ${bearer}`;
    const headers = { ...own, ...(authorization !== undefined && { authorization }) };
    return { ...rest, url, headers };
  },
  open: (settings, context) => createDestination({ ...settings, ...context }),
  attempt(type, { url }, proxies) {
    const { origin, pathname } = new URL(url);
    return `POST ${type} to ${origin}${pathname}${throughProxy(proxyOf(url, proxies)) || ' directly'}`;
  },
  advise: adviseOnPost,
});
