import { z } from 'zod';
import { type Filter, type Filters, isMoment } from '../filter.ts';
import { html, type Markup } from './html.ts';
import { shorten, words } from './text.ts';

/** Not parsed yet. */
export type Fields = Readonly<Record<string, string | undefined>>;

interface Filtered {
  readonly address: string;
  readonly fields: Filters;
  readonly given: Fields;
  /** All that apply, defaults among them. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
}

export const filterForm = (list: Filtered): Markup =>
  foldIfNarrow('Filters', filterFields(list), { isOpen: Object.keys(list.given).length > 0 });

/** Folds on a narrow screen; on a wide one the content is always shown. */
const foldIfNarrow = (name: string, content: Markup, { isOpen = false } = {}): Markup =>
  html`<details class="fold"${isOpen && html` open`}><summary>${name}</summary>
${content}
</details>`;

/** A field for each filter that has a label: a choice for those of few values. */
export function filterFields({ address, fields, given, filters, rows }: Filtered): Markup {
  const entries = Object.entries(fields);
  const kept = entries.filter(([name, { label }]) => label === undefined && given[name] !== undefined);
  return html`<form class="filters" action="${address}">
${kept.map(([name]) => html`<input type="hidden" name="${name}" value="${given[name]}">`)}${entries.map(
  ([name, filter]) =>
    filter.label !== undefined &&
    html`<label>${filter.label} ${control(name, filter, given[name], filters)}</label>${filter.offer && offered(name, filter.offer, rows)}
`,
)}<button>Filter</button>
</form>`;
}

function control(
  name: string,
  { form, words: named, none, placeholder, offer }: Filter,
  value: string | undefined,
  filters: Filtered['filters'],
): Markup {
  const { enum: values } = z.toJSONSchema(form, { io: 'input' });
  if (values === undefined) {
    const hint = placeholder ?? (isMoment(form) ? '2h, 7d' : undefined);
    return html`<input name="${name}"${offer && html` list="${listOf(name)}"`} value="${value}" maxlength="100" size="8"${hint !== undefined && html` placeholder="${hint}"`}>`;
  }
  const option = (it: string, text: string) =>
    html`<option value="${it}"${it === (value ?? '') && html` selected`}>${text}</option>`;
  return html`<select name="${name}">${option('', none?.(filters) ?? 'any')}${values.map((it) => option(String(it), named?.[String(it)] ?? words(String(it))))}</select>`;
}

const listOf = (name: string): string => `offered-${name}`;

function offered(name: string, offer: NonNullable<Filter['offer']>, rows: readonly unknown[]): Markup {
  const values = rows.map((row) => offer(row as never));
  const known = new Map(values.flatMap(([value, name]) => (value ? [[value, name ?? value] as const] : [])));
  return html`<datalist id="${listOf(name)}">${[...known].map(([value, name]) => html`<option value="${value}">${shorten(name, 60)}</option>`)}</datalist>`;
}
