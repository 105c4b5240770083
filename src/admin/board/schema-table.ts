import type { JsonSchema } from '../../http/json-schema.ts';
import { html, type Markup } from './html.ts';
import { table } from './table.ts';
import { prose } from './text.ts';

/** Member of an object, with those of the objects within it named by their paths. */
interface Member {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Returns the address of the page of a schema, by its name. */
const schemaAddress = (name: string): string => `/board/api/schemas/${encodeURIComponent(name)}`;

/** Shows the members of an object, level by level; schemas with a name are links. */
export function schemaTable(schema: JsonSchema, label: string): Markup {
  const members = membersOf(schema);
  if (members.length === 0) return html`<p>${formOf(schema)}</p>`;
  const hasMeanings = members.some(({ schema: { description } }) => description !== undefined);
  return table({
    label,
    type: 'schema',
    columns: ['Name', 'Form', hasMeanings && 'Meaning'],
    rows: members.map(
      ({ path, schema: member, isRequired }) => html`<tr>
<th scope="row" class="nowrap"><code>${path}</code>${!isRequired && html` <span class="muted">optional</span>`}</th>
<td>${formOf(member)}</td>${hasMeanings && html`<td>${member.description !== undefined && prose(member.description)}</td>`}</tr>`,
    ),
  });
}

function membersOf(schema: JsonSchema, prefix = ''): Member[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, member]) => {
    const path = prefix + name;
    const within = memberObjects(member).flatMap(([suffix, inner]) => membersOf(inner, `${path}${suffix}.`));
    return [{ path, schema: member, isRequired: required.includes(name) }, ...within];
  });
}

/** Finds the objects within a member whose members are shown beside it: itself, its alternatives, the elements of a list. */
function memberObjects(schema: JsonSchema, suffix = ''): [suffix: string, schema: JsonSchema][] {
  if (schema.properties) return [[suffix, schema]];
  if (schema.items) return memberObjects(schema.items as JsonSchema, `${suffix}[]`);
  return (schema.anyOf ?? []).flatMap((one) => memberObjects(one as JsonSchema, suffix));
}

/** Describes the values that a schema allows. */
export function formOf(schema: JsonSchema): Markup {
  const { $ref, type, anyOf, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="${schemaAddress(name)}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return joined(schema.enum.map((value) => html`<code>${String(value)}</code>`));
  if (anyOf) return joined(anyOf.map((one) => formOf(one as JsonSchema)));
  if (type === 'array' && items) return html`list of ${formOf(items as JsonSchema)}`;
  if (typeof additionalProperties === 'object') return html`object of ${formOf(additionalProperties as JsonSchema)}`;
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  return html`${schema.format === 'date-time' ? 'time (RFC 3339)' : name}${rangeOf(schema)}`;
}

function rangeOf({ minimum, maximum, default: standard }: JsonSchema): string {
  const range = [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`];
  const limits = range.filter(Boolean).join(' ');
  return `${limits && `, ${limits}`}${standard === undefined ? '' : `, ${JSON.stringify(standard)} by default`}`;
}

const joined = (forms: readonly Markup[]): Markup => html`${forms.map((form, index) => [index > 0 && ' or ', form])}`;
