import { z } from 'zod';
import { LONGEST_TIMER_MS, unitsMs } from '../base/moment.ts';

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

/** Kubernetes sets such an address in the variables of pods, for a service named `webhook`, say. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

export const port = z
  .unknown()
  .refine(
    (given) => !SERVICE_LINK.test(String(given)),
    'was set by Kubernetes to the address of a service of that name (service links); put enableServiceLinks: false into the spec of the pod, or set a port here',
  )
  .pipe(wholeNumber(0, 65_535));

export const count = wholeNumber(1);

export const days = z.coerce.number('must be a number, more than 0').positive('must be more than 0');

/** Of one request; an attempt of an activity has to fit several. */
export const timeout = duration(1, 30_000);

const rateError = 'must be a number from 0 to 1';

export const rate = z.coerce.number(rateError).min(0, rateError).max(1, rateError);
