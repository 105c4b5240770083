import { readFileSync } from 'node:fs';

/** Returns a page with its tables between their marks. */
export function withTables(page: string, ofPage: Readonly<Record<string, string>>): string {
  return Object.entries(ofPage).reduce(
    (text, [mark, table]) => {
      const part = new RegExp(`(<!-- ${mark} -->\\n).*?(<!-- /${mark} -->)`, 's');
      if (!part.test(text)) throw new Error(`${page} has no place for ${mark}`);
      return text.replace(part, (_, opening: string, closing: string) => `${opening}\n${table}\n${closing}`);
    },
    readFileSync(page, 'utf8'),
  );
}

/** Writes a table of Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), `|${head.map(() => '---|').join('')}\n`, ...rows.map(line)].join('');

/** Writes a row of a table of Markdown. */
export const line = (cells: readonly string[]): string =>
  `${cells.map((text) => `|${text && ` ${text.replaceAll('|', '\\|')}`} `).join('')}|\n`;

export const code = (text: string): string => `\`${text}\``;
