/** What an attribute's value may be; lengths are in pixels. */
export type Attributes = Readonly<Record<string, string | number>>;

/** An element as markup; its children are markup, never plain text. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(write(value))}"`);
  const head = `<${name}${written.join('')}`;
  return children.length === 0 ? `${head}/>` : `${head}>${children.join('')}</${name}>`;
}

/** Plain text as markup, for elements and attributes alike. */
export const escapeText = (text: string): string =>
  // XML has no way to write most control characters.
  text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const write = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
