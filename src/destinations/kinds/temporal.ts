import { z } from 'zod';
import type { DocklineError } from '../../domain/errors.ts';
import { details } from '../../domain/outgoing.ts';
import { detailForms, findDetailProblems } from '../../forms/destination-forms.ts';
import { findTlsProblems, tlsForms, withTls } from '../../forms/files.ts';
import { bearerToken, consent, hasCredentials, plainTextRule } from '../../forms/forms.ts';
import { answers, DEFAULT_PORT } from './checked-connection.ts';
import { type Advice, connectionAdvice, defineKind } from './kind.ts';
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
  attempt: (_type, { taskQueue, url }) => `look for workers of ${taskQueue} at ${url}`,
  advise: adviseOnServer,
});

function adviseOnServer({ code, status = 0, message }: DocklineError, settings: { readonly url: string }): Advice {
  if (code === 'ERR_DESTINATION_UNREACHABLE') {
    const usual = `Check the address, whose port is ${DEFAULT_PORT} unless it names another, and that this machine may connect to it (DNS, firewall, ${tlsAdvice(settings)}). No proxy is used.`;
    return { advice: connectionAdvice(message, usual) };
  }
  if (status === answers.noWorker)
    return {
      isWarning: true,
      advice:
        'Start a worker of yours that polls it. What is signaled before waits in its workflow, and nothing is lost.',
    };
  return {
    advice: adviceByAnswer[status] ?? 'See the log of the server. Announcements wait and are retried meanwhile.',
  };
}

const tlsAdvice = ({ url }: { readonly url: string }): string =>
  url.startsWith('temporals:') ? 'certificate, ANNOUNCE_CA' : 'temporals:// if the server wants TLS';

const adviceByAnswer: { readonly [status: number]: string } = {
  401: 'The server does not accept the API key or the client certificate: check ANNOUNCE_BEARER, or ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY.',
  403: 'The API key or the certificate may not signal in this namespace: give it a role that may write there.',
  404: 'The path of the address names the namespace: check that it exists (temporal operator namespace list).',
};
