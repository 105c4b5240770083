export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const [heading = '', ...body] = rows.map(line);
  return [heading, line(widths.map((width) => '─'.repeat(width))), ...body].join('\n');
}

/** Without what PostgreSQL and protocol buffers refuse: U+0000, and half characters. */
export const sound = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** In an address a letter may be twelve characters. */
export function cutEncoded(text: string, limit: number): string {
  let room = limit;
  let end = 0;
  for (const char of text) {
    room -= encodeURIComponent(char).length;
    if (room < 0) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** Limits UTF-16 code units, without cutting a character in half. */
export const cut = (text: string, limit: number): string =>
  text.slice(0, (text.codePointAt(limit - 1) ?? 0) > 0xffff ? limit - 1 : limit);

/** `1 order`, `3,000 orders`, `2 deliveries`. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;

/** `fullyAllocated` becomes `fully allocated`. */
export const words = (name: string): string => name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const titled = (name: string): string => capitalized(words(name));

/** `receiverId` of `readOnly.receiverId`. */
export const lastMember = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

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
