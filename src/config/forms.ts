import { z } from 'zod';
import { contentModes } from '../domain/content-mode.ts';
import { isLoopback } from '../domain/loopback.ts';

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

/** Form of a list of `key=value`. */
export const pairs = (form: RegExp, example: string) =>
  list
    .prefault('')
    .pipe(z.array(z.string().regex(form, `must be of the form ${example}`)))
    .transform((items) =>
      items.map((item) => item.split(/=(.*)/s, 2).map((part) => part.trim()) as [key: string, value: string]),
    );
