import { z } from 'zod';
import type { DestinationFilter } from '../../domain/routing.ts';
import { HEADER_NAME, oneOrSeveral } from '../../ingress/verification/scheme.ts';
import { signingSecret } from '../../ingress/verification/standard-webhooks.ts';
import { contentMode, destinationAddress, isDistinct, isPlainHttp, splitCredentials } from '../forms.ts';
import { count } from '../numbers.ts';
import { certificateFile, isPair, privateKeyFile } from '../pem-files.ts';
import type { DestinationSettings } from './tenant.ts';

/** Headers that Dockline sets itself, or that belong to the connection. */
const RESERVED =
  /^(?:connection|content-.+|expect|host|keep-alive|proxy-.+|te|traceparent|trailer|transfer-encoding|upgrade|(?:ce|dockline|webhook)-.+)$/i;

/** Size of all headers of a destination in characters: servers refuse requests with more than 8 KB or 16 KB of them. */
const HEADERS_LIMIT = 4096;

/** Form of headers by their names, which become lower case. */
const headersForm = z
  .record(z.string(), z.string())
  .superRefine((given, { addIssue }) => {
    const refuse = (message: string, ...path: string[]) => addIssue({ code: 'custom', path, message });
    for (const [name, value] of Object.entries(given)) {
      const problem = headerProblem(name, value);
      if (problem) refuse(problem, name);
    }
    if (!isDistinct(Object.keys(given).map((name) => name.toLowerCase()))) refuse('must set each name once');
    if (Object.entries(given).flat().join('').length > HEADERS_LIMIT)
      refuse(`must have at most ${HEADERS_LIMIT} characters in all`);
  })
  .transform((given) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])));

function headerProblem(name: string, value: string): string | undefined {
  if (!HEADER_NAME.test(name)) return "must be a header's name";
  if (RESERVED.test(name)) return 'is reserved for Dockline and the connection';
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? undefined
    : 'must have a value of printable ASCII, without line breaks';
}

/** Settings of a destination. */
export const announceForms = {
  url: destinationAddress,
  allowHttp: z.enum(['yes', 'no']).default('no'),
  secret: oneOrSeveral(signingSecret),
  headers: headersForm.default({}),
  bearer: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'must be a token of printable characters without spaces, at most 4096')
    .optional(),
  clientCert: certificateFile.optional(),
  clientKey: privateKeyFile.optional(),
  ca: certificateFile.optional(),
  mode: contentMode,
  maxBytes: count.optional(),
};

/** Settings of a destination, parsed. */
type ParsedDestination = z.output<z.ZodObject<typeof announceForms>>;

/** Creates the check that the settings of a destination agree. `consent` is the setting that allows plain http. */
export const agreeing =
  (consent: string) =>
  (
    given: { readonly [Key in keyof ParsedDestination]?: ParsedDestination[Key] | undefined },
    { addIssue }: z.core.$RefinementCtx,
  ): void => {
    const { url = '', allowHttp, headers: own, bearer, clientCert, clientKey, ca } = given;
    const ways = [splitCredentials(url).authorization, bearer, own?.authorization].filter(Boolean);
    const rules: readonly [isBroken: unknown, key: keyof ParsedDestination, problem: string][] = [
      [
        isPlainHttp(url) && allowHttp !== 'yes',
        'url',
        `is plain http beyond loopback, which shows announcements to the network; set ${consent} to accept that`,
      ],
      [
        ways.length > 1,
        bearer ? 'bearer' : 'headers',
        'is one of several: set the user in the address, a bearer token or a header Authorization',
      ],
      [clientCert && !clientKey, 'clientKey', 'is required with a client certificate'],
      [clientKey && !clientCert, 'clientCert', 'is required with the key of one'],
      [
        clientCert && clientKey && !isPair(clientCert, clientKey),
        'clientKey',
        'does not belong to the client certificate',
      ],
      [
        URL.parse(url)?.protocol === 'http:' && (clientCert || ca),
        ca ? 'ca' : 'clientCert',
        'needs an address with https',
      ],
    ];
    for (const [isBroken, key, message] of rules) if (isBroken) addIssue({ code: 'custom', path: [key], message });
  };

/** Groups the settings of a destination. */
export function toDestination(
  parsed: ParsedDestination & DestinationFilter & Pick<DestinationSettings, 'name'>,
): DestinationSettings {
  const { url, allowHttp: _, headers: own, bearer, clientCert: cert, clientKey: key, ca, ...rest } = parsed;
  const { authorization: basic, ...address } = splitCredentials(url);
  const authorization = bearer === undefined ? basic : `Bearer ${bearer}`;
  const headers = { ...own, ...(authorization !== undefined && { authorization }) };
  return { ...rest, ...address, headers, tls: { cert, key, ca } };
}
