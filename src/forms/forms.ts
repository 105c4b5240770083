import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from '../base/loopback.ts';

/** Variables of the environment, by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Form of a text that is not empty. */
export const text = z.string().min(1, 'must not be empty');

const anyAddress = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

/** Creates the form of an http:// or https:// address that nobody sends a user and a password to; `instead` says how they get there. */
export const bareAddress = (instead: string) =>
  anyAddress.refine(
    (text) => !hasCredentials(text),
    `must not contain a user or a password, which would not be sent${instead}`,
  );

/** Form of an http:// or https:// address without a user and a password. */
export const address = bareAddress('');

/** Adds to the form of an address the check that a user and a password in it can be read ({@link splitCredentials}). */
export const withCredentials = <Form extends z.ZodType<string>>(form: Form): Form =>
  form.refine(
    (text) => credentialsOf(text) !== null,
    'must have its user and password percent-encoded, and no colon in the user',
  );

/** Form of the address of a destination over HTTP. It may contain a user and a password. */
export const destinationAddress = withCredentials(anyAddress);

/** Reports whether an address contains a user or a password. */
export function hasCredentials(text: string): boolean {
  const { username, password } = URL.parse(text) ?? {};
  return Boolean(username || password);
}

/** Splits an address into one without user and password, and these as `user:password`, if there are any. */
export function splitCredentials(text: string): { readonly url: string; readonly credentials?: string } {
  if (!hasCredentials(text)) return { url: text };
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return { url: url.href, credentials: credentialsOf(text) ?? '' };
}

/** Returns `user:password` of an address; null if no header can carry them. */
function credentialsOf(text: string): string | null {
  const { username = '', password = '' } = URL.parse(text) ?? {};
  try {
    const [user = '', secret = ''] = [username, password].map(decodeURIComponent);
    return user.includes(':') || /\p{Cc}/u.test(user + secret) ? null : `${user}:${secret}`;
  } catch {
    return null;
  }
}

/** Reports whether what is sent to this address would cross a network in plain text, which `scheme` means. */
export function isPlainText(text: string, scheme: string): boolean {
  const { protocol, hostname = '' } = URL.parse(text) ?? {};
  return protocol === `${scheme}:` && !isLoopback(hostname);
}

/** Form of a secret of Standard Webhooks. */
export const signingSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64');

/** zod's issue for a missing text. */
const MISSING = { code: 'invalid_type', expected: 'string', message: 'is missing' } as const;

/** Form of one secret or a list of them, each of which counts, so that one can replace another without a gap. */
export const oneOrSeveral = (form: z.ZodType<string>) =>
  z.unknown().transform((given, { issues }): readonly string[] => {
    const isList = Array.isArray(given);
    const list: readonly unknown[] = isList ? given : [given];
    if (list.length === 0) issues.push({ code: 'custom', message: 'must have at least one', input: given });
    return list.flatMap((value, index) => {
      const { data, error } = form.safeParse(value);
      if (!error) return data;
      const [message = ''] = error.issues.map((issue) => issue.message);
      const problem = { message, path: isList ? [index] : [], input: value };
      issues.push(value === undefined ? { ...problem, ...MISSING } : { ...problem, code: 'custom' });
      return [];
    });
  });

/** Form of the secrets that sign announcements: one, or a list. */
export const signingSecrets = oneOrSeveral(signingSecret);

/** Form of a bearer token of a server of Dockline. */
export const ownToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, printable and without spaces');

/** Form of the tokens with which a receiver fetches records: one, or a list. */
export const recordsTokens = oneOrSeveral(ownToken);

/** Form of a token that others made: printable, without spaces. */
export const bearerToken = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'must be a token of printable characters without spaces, at most 4096');

/** Form of a list in one text, separated by commas. */
export const list = z.string().transform((items) =>
  items
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** Reports whether no value comes twice. */
export const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** Form of a list of `key=value`. */
export const pairs = (form: RegExp, example: string) =>
  list
    .prefault('')
    .pipe(z.array(z.string().regex(form, `must be of the form ${example}`)))
    .transform((items) =>
      items.map((item) => item.split(/=(.*)/s, 2).map((part) => part.trim()) as [key: string, value: string]),
    );

/** Form of headers, `name=value`, whose values are percent-encoded where they contain a comma or a percent sign. */
export const headerPairs = pairs(/^[^=\s]+\s*=.+$/s, 'x-api-key=value')
  .refine((given) => isDistinct(given.map(([name]) => name)), 'must set each name once')
  .transform((given, { issues }) => {
    try {
      return Object.fromEntries(given.map(([name, value]) => [name, decodeURIComponent(value)]));
    } catch {
      issues.push({ code: 'custom', message: 'must have %25 for a percent sign and %2C for a comma', input: given });
      return z.NEVER;
    }
  });

/** Form of the address of a proxy, whose scheme is http where it has none. Parsed, it has one. */
export const proxyAddress = z
  .string()
  .transform((given) => (given.includes('://') ? given : `http://${given}`))
  .pipe(anyAddress.refine((text) => credentialsOf(text) !== null, 'must have its user and password percent-encoded'));

/** Form of hosts that no proxy is asked for, separated by commas or spaces. */
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

/** Creates the form of a list of addresses, and of ranges in CIDR notation whose prefix has at least `leastBits`. */
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
