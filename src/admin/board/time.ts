import { html, type Markup } from './html.ts';

/** Shows a time in UTC. The page's script changes it to the reader's time zone and leaves the exact one on hover. */
export function when(time: number): Markup {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** Shows how long ago a time was, with the time itself on hover. */
export function age(time: number, now: number): Markup {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}" title="${iso}" data-age>${duration(now - time)}</time>`;
}

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
