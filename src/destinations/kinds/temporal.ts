import { z } from 'zod';
import { details } from '../../domain/outgoing.ts';
import { detailForms, findDetailProblems } from '../../forms/destination-forms.ts';
import { findTlsProblems, tlsForms, withTls } from '../../forms/files.ts';
import { bearerToken, consent, hasCredentials, plainTextRule } from '../../forms/forms.ts';
import { answers } from './checked-connection.ts';
import { defineKind } from './kind.ts';
import { createTemporalDestination, signalingForms } from './temporal-destination.ts';

/** The path is the namespace. */
const temporalAddress = z
  .url({ protocol: /^temporals?$/, hostname: /./, error: 'must be a temporals:// or temporal:// address' })
  .refine((text) => !hasCredentials(text), 'must have no user and no password: an API key is a setting of its own')
  .refine(
    (text) => /^\/(?:[\w.-]|%[0-9a-f]{2})+$/i.test(URL.parse(text)?.pathname ?? ''),
    'must have the namespace as its path, such as temporal://127.0.0.1:7233/default',
  )
  .refine((text) => !/[?#]/.test(text), 'must have no query, which would have no effect');

const forms = {
  url: temporalAddress.describe(
    'the server of your workflows and its namespace, `temporals://host:port/namespace`, or `temporal://` for plain text; the port is 7233 if it is left out.',
  ),
  allowTemporal: consent(
    'Plain text (`temporal://`) is refused beyond loopback unless this is `yes`: announcements travel there readable.',
  ),
  bearer: bearerToken.optional().describe('the API key, if the server wants one.'),
  ...signalingForms,
  ...tlsForms,
  ...detailForms,
  detail: z.enum(details).default('thin').describe('a history keeps what it is given, and whoever sees it sees that.'),
};

export const temporal = defineKind({
  about: 'workflows of your own',
  forms,
  rules: (given) => [
    plainTextRule(given.url, 'temporal', given.allowTemporal, 'announcements'),
    [given.bearer && given.url.startsWith('temporal:'), 'bearer', 'needs an address with temporals'],
    ...findDetailProblems(given),
    ...findTlsProblems(given, 'temporals'),
  ],
  toSettings: ({ allowTemporal: _, ...parsed }) => withTls(parsed),
  open: (settings, context) => createTemporalDestination({ ...settings, ...context }),
  untaken: answers.noWorker,
  advice: {
    [answers.noWorker]:
      'Start a worker of yours that polls it. What is signaled before waits in its workflow, and nothing is lost.',
    401: 'The server does not accept the API key or the client certificate: check ANNOUNCE_BEARER, or ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY.',
    403: 'The API key or the certificate may not signal in this namespace: give it a role that may write there.',
    404: 'The path of the address names the namespace: check that it exists (temporal operator namespace list).',
  },
});
