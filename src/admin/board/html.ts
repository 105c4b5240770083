export interface Markup {
  readonly [SOURCE]: string;
}

const SOURCE = Symbol('source of markup');

/** Escaped; null, undefined and false write nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** Escapes for text and quoted attributes; attributes without quotes, scripts and styles must not contain values. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return { [SOURCE]: strings.reduce((text, string, index) => text + write(values[index - 1]) + string) };
}

/** Only for what a renderer made of Dockline's own files. */
export const trusted = (source: string): Markup => ({ [SOURCE]: source });

export const sourceOf = (markup: Markup): string => markup[SOURCE];

function write(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
  if (typeof value === 'number') return String(value);
  return isMarkup(value) ? value[SOURCE] : value.map(write).join('');
}

const isMarkup = (value: Markup | readonly Content[]): value is Markup => SOURCE in value;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
