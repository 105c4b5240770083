/** Replaces what PostgreSQL and protocol buffers refuse: U+0000, and half characters. */
export const sound = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Shortens a text to that many UTF-16 code units, without cutting a character in half. */
export const cut = (text: string, limit: number): string =>
  text.slice(0, (text.codePointAt(limit - 1) ?? 0) > 0xffff ? limit - 1 : limit);
