import { z } from 'zod';
import { MOMENT } from '../queries.ts';
import { foldIfNarrow } from './fold.ts';
import { html, type Markup } from './html.ts';
import { words } from './text.ts';

/** Fields of a form, or filters of a query, that are not parsed yet. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** List with the filters that it takes, and those that the reader gave. */
interface Filtered {
  readonly address: string;
  readonly forms: Readonly<Record<string, unknown>>;
  readonly given: Fields;
}

/** Shows the form of a list's filters: a choice for those of few values, and a field for the others. */
export const filterForm = ({ address, forms, given }: Filtered, labels: Readonly<Record<string, string>>): Markup =>
  foldFilters(
    html`<form class="filters" action="${address}">
${Object.entries(labels).map(
  ([name, label]) => html`<label>${label} ${control(name, forms[name] as z.ZodType, given[name])}</label>
`,
)}<button>Filter</button>
</form>`,
    given,
  );

/** Folds the form of a list's filters on a narrow screen, unless the reader gave some. */
const foldFilters = (form: Markup, given: Fields): Markup =>
  foldIfNarrow('Filters', form, { isOpen: Object.keys(given).length > 0 });

function control(name: string, form: z.ZodType, value: string | undefined): Markup {
  const { enum: values, format } = z.toJSONSchema(form, { io: 'input' });
  if (values === undefined)
    return html`<input name="${name}" value="${value}" maxlength="100" size="8"${format === MOMENT && html` placeholder="2h, 7d"`}>`;
  const option = (it: string, text: string) =>
    html`<option value="${it}"${it === (value ?? '') && html` selected`}>${text}</option>`;
  return html`<select name="${name}">${option('', 'any')}${values.map((it) => option(String(it), words(String(it))))}</select>`;
}
