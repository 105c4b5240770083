import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from '../base/loopback.ts';
import { LONGEST_TIMER_MS, unitsMs } from '../base/moment.ts';
import { capitalized } from '../base/text.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const text = z.string().min(1, 'must not be empty');

const anyAddress = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

export const bareAddress = (instead: string) =>
  anyAddress.refine(
    (text) => !hasCredentials(text),
    `must not contain a user or a password, which would not be sent${instead}`,
  );

export const address = bareAddress('');

/** A user and a password in it can be read by {@link splitCredentials}. */
export const withCredentials = <Form extends z.ZodType<string>>(form: Form): Form =>
  form.refine(
    (text) => credentialsOf(text) !== null,
    'must have its user and password percent-encoded, and no colon in the user',
  );

export const destinationAddress = withCredentials(anyAddress);

export function hasCredentials(text: string): boolean {
  const { username, password } = URL.parse(text) ?? {};
  return Boolean(username || password);
}

/** `credentials` are `user:password`; absent if there are none. */
export function splitCredentials(text: string): { readonly url: string; readonly credentials?: string } {
  if (!hasCredentials(text)) return { url: text };
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return { url: url.href, credentials: credentialsOf(text) ?? '' };
}

/** Null if no header can carry them. */
function credentialsOf(text: string): string | null {
  const { username = '', password = '' } = URL.parse(text) ?? {};
  try {
    const [user = '', secret = ''] = [username, password].map(decodeURIComponent);
    return user.includes(':') || /\p{Cc}/u.test(user + secret) ? null : `${user}:${secret}`;
  } catch {
    return null;
  }
}

/** False for an address of this machine. `scheme` is the one without TLS. */
export function isPlainText(text: string, scheme: string): boolean {
  const { protocol, hostname = '' } = URL.parse(text) ?? {};
  return protocol === `${scheme}:` && !isLoopback(hostname);
}

export const consent = (description: string) => z.enum(['yes', 'no']).default('no').describe(description);

export const plainTextRule = (url: string, scheme: 'http' | 'amqp' | 'temporal', given: unknown, shown: string) => {
  const problem = `is plain ${scheme} beyond loopback, which shows ${shown} to the network; set allow${capitalized(scheme)}: yes to accept that`;
  return [isPlainText(url, scheme) && given !== 'yes', 'url', problem] as const;
};

export const signingSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64');

/** Each of several counts, so that one can replace another without a gap. */
export const oneOrSeveral = (form: z.ZodType<string>) =>
  z.unknown().transform((given, { issues }): readonly string[] => {
    const isList = Array.isArray(given);
    const list: readonly unknown[] = isList ? given : [given];
    if (list.length === 0) issues.push({ code: 'custom', message: 'must have at least one', input: given });
    return list.flatMap((value, index) => {
      const { data, error } = form.safeParse(value);
      if (!error) return data;
      const [message = ''] = error.issues.map((issue) => issue.message);
      issues.push({ code: 'custom', message, path: isList ? [index] : [], input: value });
      return [];
    });
  });

export const signingSecrets = oneOrSeveral(signingSecret);

export const ownToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, printable and without spaces');

export const recordsTokens = oneOrSeveral(ownToken);

export const bearerToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'must be a token of printable characters without spaces, at most 4096');

export const toList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const list = z.string().transform(toList);

export const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** Places of values that are above as well. */
export const repeatsIn = (values: readonly unknown[]): readonly number[] =>
  [...values.keys()].filter((index) => values[index] && values.indexOf(values[index]) < index);

export const pairs = (form: RegExp, example: string) =>
  list
    .prefault('')
    .pipe(z.array(z.string().regex(form, `must be of the form ${example}`)))
    .transform((items) =>
      items.map((item) => item.split(/=(.*)/s, 2).map((part) => part.trim()) as [key: string, value: string]),
    );

/** The scheme is http where it has none. */
export const proxyAddress = z
  .string()
  .transform((given) => (given.includes('://') ? given : `http://${given}`))
  .pipe(anyAddress.refine((text) => credentialsOf(text) !== null, 'must have its user and password percent-encoded'));

export const directHosts = z
  .string()
  .transform((items) => items.split(/[\s,]+/).filter(Boolean))
  .pipe(
    z.array(
      z.string().refine((host) => !host.includes('/') || isAddressRange(host, 0), {
        error: 'must be names, addresses or ranges such as 10.0.0.0/8',
      }),
    ),
  );

export const addressRanges = (leastBits: number) =>
  list
    .prefault('')
    .pipe(
      z.array(
        z.string().refine((text) => isAddressRange(text, leastBits), 'must be addresses or ranges such as 10.0.0.0/8'),
      ),
    );

function isAddressRange(text: string, leastBits: number): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const width = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (width === 0 || rest.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d*)$/.test(bits) && Number(bits) >= leastBits && Number(bits) <= width);
}

/** RFC 9110, section 5.6.2. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Dockline sets them itself, or they belong to the connection. */
const RESERVED =
  /^(?:connection|content-(?!type$).+|expect|host|keep-alive|proxy-.+|te|traceparent|trailer|transfer-encoding|upgrade|(?:ce|dockline|webhook)-.+)$/i;

/** In characters, all together: servers refuse requests with more than 8 KB or 16 KB of headers. */
const HEADERS_LIMIT = 4096;

/** Names become lower case. */
export const headersForm = z
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

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER, of = '', or = '') {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be a whole number ${of}${range}${or}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

const units = { s: 1000, ...unitsMs } as const;

export const DURATION = '\\d+[smhd]?';

/** `90s` is 90 000 milliseconds. Returns what is no duration as it is. */
export function toMilliseconds(given: unknown): unknown {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(String(given)) ?? [];
  return unit === undefined ? given : Number(number) * units[unit as keyof typeof units];
}

/** Parsed into milliseconds. By default it may become a timer of Temporal. */
export const duration = (min = 0, max = LONGEST_TIMER_MS) =>
  z
    .union([z.number(), z.string()])
    .transform(toMilliseconds)
    .pipe(wholeNumber(min, max, 'of milliseconds ', ', or have a unit, such as 20s, 15m, 1h or 2d'));

/** A longer timer fires at once. */
const LONGEST_IN_NODE_MS = 2_147_483_647;

export const nodeTimer = (min = 0) => duration(min, LONGEST_IN_NODE_MS);

export const port = wholeNumber(0, 65_535);

export const count = wholeNumber(1);

export const days = z.coerce.number('must be a number, more than 0').positive('must be more than 0');

/** Of one request; an attempt of an activity has to fit several. */
export const timeout = duration(1, 30_000);

const rateError = 'must be a number from 0 to 1';

export const rate = z.coerce.number(rateError).min(0, rateError).max(1, rateError);
