import { clockTime } from '../../base/moment.ts';
import { cut } from '../../base/text.ts';
import { trackingUrl } from '../../domain/kinds/order/shipment.ts';
import { html, type Markup } from './html.ts';

const SHORT = 120;

/** Its direction cannot change what surrounds it. */
export const untrusted = (text: string, limit = SHORT): Markup => html`<bdi>${shorten(text, limit)}</bdi>`;

const WHOLE = 300;

export const whole = (text: string): Markup =>
  text.length <= WHOLE
    ? untrusted(text, WHOLE)
    : html`<details><summary>${untrusted(text)}</summary>${untrusted(text, text.length)}</details>`;

export function shorten(text: string, limit = SHORT): string {
  return text.length <= limit ? text : `${cut(text, limit)}…`;
}

/** For places that can hold no element, such as a title. */
export const withoutDirection = (text: string): string =>
  text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

export const number = (value: number): string => value.toLocaleString('en-US');

/** UTC; the page's script changes it to the reader's zone. */
export const when = (time: Date | number): Markup =>
  instant(time, (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`);

/** To the minute; the page's script changes it to the reader's zone, and adds the day unless it is today. */
export const clock = (time: Date | number): Markup =>
  instant(time, (iso) => `${iso.slice(11, 16)} UTC`, html` data-form="minute"`);

/** On the clocks of a place, in whatever zone the reader is. */
export const clockIn = (time: Date | number, timeZone: string | null, now: number, namesZone = true): Markup =>
  html`<span class="nowrap" title="${new Date(time).toISOString()}">${clockTime(Number(time), { now, timeZone: timeZone ?? 'UTC', namesZone })}</span>`;

export const age = (time: Date | number, now: number): Markup =>
  instant(time, () => duration(Math.abs(now - Number(time))), html` data-age`);

function instant(time: Date | number, say: (iso: string) => string, form?: Markup): Markup {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}" title="${iso}"${form}>${say(iso)}</time>`;
}

export const ago = (time: Date | number, now: number): Markup =>
  instant(time, () => `${duration(Math.abs(now - Number(time)))} ago`, html` data-age`);

export const took = (ms: number): string => (ms < 1000 ? `${Math.max(0, ms)} ms` : duration(ms));

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Writes a duration in its two largest units, such as `2 d 4 h`; `0 s` if it is not positive. */
export function duration(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size);
  if (first === -1) return '0 s';
  const [[unit, size], second] = [units[first], units[first + 1]] as [(typeof units)[number], (typeof units)[number]?];
  const rest = second ? Math.floor((ms % size) / second[1]) : 0;
  return `${Math.floor(ms / size)} ${unit}${second && rest > 0 ? ` ${rest} ${second[0]}` : ''}`;
}

export function trackingLink(number: string, carrier = ''): Markup {
  const url = trackingUrl(number, carrier);
  return url === undefined ? untrusted(number, 60) : html`<a href="${url}" rel="noreferrer">${number}</a>`;
}
