import { html, type Markup } from './html.ts';

/** Characters of a text from outside that a list shows. */
const SHORT = 120;

/** Shows text from outside, whatever its direction, without letting it change what surrounds it. */
export const foreign = (text: string, limit = SHORT): Markup => html`<bdi>${shorten(text, limit)}</bdi>`;

/** Characters of a text that a page shows before the reader asks for the rest. */
const WHOLE = 300;

/** Shows text from outside that the reader may want whole, however long it is. */
export const whole = (text: string): Markup =>
  text.length <= WHOLE
    ? foreign(text, WHOLE)
    : html`<details><summary>${foreign(text)}</summary>${foreign(text, text.length)}</details>`;

/** Shortens text, with an ellipsis, without cutting a character in half. */
export function shorten(text: string, limit = SHORT): string {
  return text.length <= limit
    ? text
    : `${text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

/** Removes the characters that change the direction of text, for places that can hold no element, such as a title. */
export const withoutDirection = (text: string): string =>
  text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Shows Markdown whose only marks are backticks around names. */
export const prose = (text: string): Markup =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;

/** Writes a number with its thousands apart: `10,000`. */
export const number = (value: number): string => value.toLocaleString('en-US');

/** Counts things in words: `1 order`, `3 orders`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** Separates the words of a name in camel case: `fullyAllocated` becomes `fully allocated`. */
export const words = (name: string): string => name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

/** Begins a text with a capital letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
