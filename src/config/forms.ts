import { isIP } from 'node:net';
import { z } from 'zod';
import { contentModes } from '../domain/content-mode.ts';
import { isLoopback } from '../domain/loopback.ts';

/** Variables of the environment, by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Form of a text that is not empty. */
export const text = z.string().min(1, 'must not be empty');

/** Form of an http:// or https:// address. */
export const address = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

/** Form of the address of a destination. */
export const destinationAddress = address.refine((text) => !isPlainHttp(text), 'must be https beyond loopback');

/** Reports whether a request to this address would cross a network in plain text. */
export function isPlainHttp(text: string): boolean {
  const { protocol, hostname } = URL.parse(text) ?? {};
  return protocol === 'http:' && !isLoopback(hostname ?? '');
}

/** Form of the mode of announcements. */
export const contentMode = z.enum(contentModes).default('structured');

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
