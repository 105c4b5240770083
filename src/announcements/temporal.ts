import { z } from 'zod';
import { details } from '../domain/detail.ts';
import type { DocklineError } from '../domain/errors.ts';
import { detailForms, findDetailProblems } from '../forms/detail-forms.ts';
import { bearerToken, isPlainText, temporalAddress } from '../forms/forms.ts';
import { findTlsProblems, tlsForms } from '../forms/pem-files.ts';
import { DEFAULT_PORT } from './checked-connection.ts';
import { type Advice, defineKind, type Fetchable, type Surroundings } from './kind.ts';
import { nameTemplate } from './name-template.ts';
import { closedPolicies, createTemporalDestination, type TemporalDestinationOptions } from './temporal-destination.ts';
import { answers } from './temporal-failure.ts';

/** Form of a name that Temporal shows as it is. */
const plainName = z
  .string()
  .regex(/^\P{Cc}{1,200}$/u, 'must have 1 to 200 characters, none of them a control character');

const forms = {
  url: temporalAddress,
  allowTemporal: z.enum(['yes', 'no']).default('no').describe('Accepts plain gRPC beyond loopback.'),
  bearer: bearerToken.optional(),
  workflowType: plainName.describe('Type of the workflow that is started.'),
  taskQueue: plainName.describe('Task queue of its workers.'),
  workflowId: nameTemplate.default('{kind}-{tenant}-{id}').describe('Template of the workflow id.'),
  signal: nameTemplate.default('dockline').describe('Template of the name of the signal that carries an announcement.'),
  whenClosed: z
    .enum(closedPolicies)
    .default('start')
    .describe('What becomes of an announcement whose workflow has ended: start another run, or skip it.'),
  ...tlsForms,
  ...detailForms,
  /** A history with whole records is large, and whoever sees it sees them. */
  detail: z.enum(details).default('thin'),
};

/** Workflows of one's own, as {@link createTemporalDestination} signals them. */
export const temporal = defineKind({
  forms,
  rules: ({ url = '', allowTemporal, bearer, detail, maxBytes, ...tls }, consent) => [
    [
      isPlainText(url) && allowTemporal !== 'yes',
      'url',
      `is plain temporal beyond loopback, which shows announcements to the network; set ${consent('allowTemporal')} to accept that`,
    ],
    [bearer && url.startsWith('temporal:'), 'bearer', 'needs an address with temporals'],
    ...findDetailProblems({ detail, maxBytes }),
    ...findTlsProblems({ ...tls, url }, 'temporals'),
  ],
  toSettings(parsed): Omit<TemporalDestinationOptions, keyof Surroundings> & Fetchable {
    const { allowTemporal: _, clientCert: cert, clientKey: key, ca, ...rest } = parsed;
    return { ...rest, tls: { cert, key, ca } };
  },
  open: (settings, surroundings) => createTemporalDestination({ ...settings, ...surroundings }),
  attempt: (_type, { taskQueue, url }) => `look for workers of ${taskQueue} at ${url}`,
  advise: adviseOnServer,
});

function adviseOnServer({ code, status }: DocklineError, settings: { readonly url: string }): Advice {
  if (code === 'ERR_DESTINATION_UNREACHABLE')
    return {
      advice: `Check the address, whose port is ${DEFAULT_PORT} unless it names another, and that this machine may connect to it (DNS, firewall, ${tlsAdvice(settings)}). No proxy is used.`,
    };
  if (status === answers.noWorker)
    return {
      isWarning: true,
      advice:
        'Start a worker of yours that polls it. What is signaled before waits in its workflow, and nothing is lost.',
    };
  return {
    advice: adviceByAnswer.get(status) ?? 'See the log of the server. Announcements wait and are retried meanwhile.',
  };
}

const tlsAdvice = ({ url }: { readonly url: string }): string =>
  url.startsWith('temporals:') ? 'certificate, ANNOUNCE_CA' : 'temporals:// if the server wants TLS';

/** Advice by the answer of the server. */
const adviceByAnswer: ReadonlyMap<number | undefined, string> = new Map([
  [
    401,
    'The server does not accept the API key or the client certificate: check ANNOUNCE_BEARER, or ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY.',
  ],
  [403, 'The API key or the certificate may not signal in this namespace: give it a role that may write there.'],
  [404, 'The path of the address names the namespace: check that it exists (temporal operator namespace list).'],
]);
