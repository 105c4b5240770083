import { cut, cutEncoded, sound } from './text.ts';

/** Longer texts are shortened: the store has them whole. */
const TEXT_LIMIT = 300;

/** Text that CommonMark and GitHub may take for markup. The Temporal UI itself replaces `{workflowId}`. */
const MARKUP = [
  /[\\`*{}[\]<|~@]/u,
  // Between letters or digits it is a part of a word.
  /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
  // Entities and addresses.
  /&(?=[#\w])|:(?=\/\/)|(?<=www)\./u,
  // Blocks, and the end of a heading.
  /^[-+=>#]|(?<=^\d{1,9})[.)](?= |$)|#(?=#{0,300}$)/u,
];

const markup = new RegExp(MARKUP.map(({ source }) => source).join('|'), 'giu');

export const escaped = (text: string, limit = TEXT_LIMIT): string =>
  cut(sound(text).replaceAll(/\s+/g, ' ').trim(), limit).trim().replaceAll(markup, String.raw`\$&`);

/** Limits the characters in an address. */
export const escapedWithin = (text: string, encodedLimit: number): string =>
  // A backslash that is left over would escape what follows.
  cutEncoded(escaped(text), encodedLimit).replace(/(?<!\\)((?:\\\\)*)\\$/, '$1');
