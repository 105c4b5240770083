import type { Parameter } from '../../../src/admin/openapi/open-api.ts';
import { createOpenApi } from '../../../src/app/admin-api.ts';
import type { JsonSchema } from '../../../src/http/json-schema.ts';
import { code, table, withTables } from '../../support/marked-tables.ts';

/** The page that lists the calls of the administrative API, by their tags. */
export const page = 'docs/administrative-api.md';

/** Values of a member up to which all of them are named. */
const FEW = 5;

const { paths, tags, components } = createOpenApi();

type Call = (typeof paths)[string][string];

/** Returns the content of {@link page}, with the tables that the calls make. */
export function writePage(): string {
  const listed = new Set<string>();
  const names = (tags as readonly { readonly name: string }[]).map(({ name }) => name);
  return withTables(page, Object.fromEntries(names.map((name) => [name, tableOf(name, listed)])));
}

const tableOf = (tag: string, listed: Set<string>): string =>
  table(
    ['call', 'role', 'what it does'],
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(
          ([
            ,
            {
              tags: [own],
            },
          ]) => own === tag,
        )
        .map(([method, call]) => [
          code(`${method.toUpperCase()} ${path}`),
          call.security?.[0]?.token?.map(code).join('') ?? 'receiver',
          [`${call.summary}.`, call.description, ...given(call), ...answered(call, listed)].join(' '),
        ]),
    ),
  );

/** Says what a call may be given besides its path. */
function given({ parameters = [], requestBody }: Call): string[] {
  const query = parameters.filter((it): it is Parameter => 'in' in it && it.in === 'query');
  const filters = query.filter(({ name }) => name !== 'after' && name !== 'limit');
  const body = requestBody?.content['application/json']?.schema;
  const bodies = body ? ((body.oneOf as JsonSchema[] | undefined) ?? [body]).map(bodyOf) : [];
  return [
    ...(filters.length > 0 ? [`Query: ${filters.map(({ name, schema }) => valuesOf(name, schema)).join(', ')}.`] : []),
    ...(bodies.length > 0 ? [`Body: ${bodies.join('; ')}.`] : []),
  ];
}

/** Lists the members of a body, and those of the filter of a bulk action. */
const bodyOf = ({ properties = {} }: JsonSchema): string =>
  Object.entries(properties as Record<string, JsonSchema>)
    .map(([name, member]) => (member.properties ? `${code(name)} with ${namesOf(member)}` : valuesOf(name, member)))
    .join(', ');

function valuesOf(name: string, { enum: values, const: only }: JsonSchema): string {
  if (only !== undefined) return `${code(name)} ${code(String(only))}`;
  const isShort = values !== undefined && values.length <= FEW;
  return isShort ? `${code(name)} (${values.map((it) => code(String(it))).join(', ')})` : code(name);
}

/** Names the schema of an answer, or of the rows of a list, and its members where it is named first. */
function answered({ responses }: Call, listed: Set<string>): string[] {
  const [answer] = Object.entries(responses).flatMap(([status, it]) => (Number(status) < 300 ? [it] : []));
  if (!answer || '$ref' in answer) return [];
  const { 'application/json': json, 'text/csv': csv } = answer.content ?? {};
  const whole = firstOf(json?.schema ?? {});
  const rows = (whole.schema.properties?.items as JsonSchema | undefined)?.items as JsonSchema | undefined;
  const { name, schema } = rows?.$ref ? firstOf(rows) : whole;
  const members = namesOf(schema);
  const isNew = !listed.has(name) && members !== '';
  listed.add(name);
  return [
    `${rows?.$ref ? 'Rows' : 'Answer'}: ${code(name)}${isNew ? ` with ${members}` : ''}.`,
    ...(csv && !rows?.$ref ? ['Also as CSV.'] : []),
  ];
}

/** Returns the schema that a reference names; of several forms the first. */
function firstOf(schema: JsonSchema, name = ''): { readonly name: string; readonly schema: JsonSchema } {
  const { $ref, anyOf } = schema;
  const referred = $ref?.split('/').at(-1) ?? '';
  if ($ref) return firstOf(components.schemas[referred] ?? {}, referred);
  return anyOf ? firstOf(anyOf[0] as JsonSchema, name) : { name, schema };
}

const namesOf = ({ properties = {} }: JsonSchema): string => Object.keys(properties).map(code).join(', ');
