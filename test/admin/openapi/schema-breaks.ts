/** JSON Schema, as far as it is compared. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Operation, parameter, body or response. */
export interface Part {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly security?: unknown;
  readonly parameters?: readonly Part[];
  readonly requestBody?: Part;
  readonly responses?: Readonly<Record<string, Part>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** Follows the references within a document. */
export function resolve<T extends object>(part: T, document: unknown): T {
  if (!('$ref' in part)) return part;
  const names = String(part.$ref).slice(2).split('/');
  const found = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return resolve(found as T, document);
}

const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/**
 * Creates a comparison of schemas. It returns the places where the schema of one document allows what that of the other does not: of a
 * request what the published one allows, of a response what the current one allows. Members that are gone break both; new ones neither.
 */
export function schemaComparison(from: unknown, to: unknown, direction: 'request' | 'response') {
  function compare(narrow: Schema = {}, wide: Schema = {}, place = ''): string[] {
    const options = alternatives(wide, to);
    return alternatives(narrow, from).flatMap((one) => {
      const refused = options.map((option) => compareOne(one, option, place));
      return refused.sort((a, b) => a.length - b.length)[0] ?? [];
    });
  }

  function compareOne(one: Schema, option: Schema, place: string): string[] {
    const isInteger = one.type === 'integer' && option.type === 'number';
    if (option.type !== undefined && option.type !== one.type && !isInteger)
      return [`${place}: ${one.type ?? 'any type'}, not ${option.type}`];
    return [...compareValues(one, option, place), ...compareMembers(one, option, place)];
  }

  function compareMembers(one: Schema, option: Schema, place: string): string[] {
    const [was, is] = direction === 'request' ? [one, option] : [option, one];
    const gone = Object.keys(was.properties ?? {}).filter((name) => is.properties?.[name] === undefined);
    const required = (option.required ?? []).filter((name) => !one.required?.includes(name) && !gone.includes(name));
    const inner = (of: Schema) => ({
      ...Object.fromEntries(Object.entries(of.properties ?? {}).map(([name, member]) => [`.${name}`, member])),
      ...Object.fromEntries(['items', 'additionalProperties', 'propertyNames'].map((name) => [` ${name}`, of[name]])),
    });
    const allowed = inner(option);
    return [
      ...gone.map((name) => `${place}.${name}: is gone`),
      ...required.map((name) => `${place}.${name}: is ${direction === 'request' ? 'required' : 'optional'} now`),
      ...Object.entries(inner(one)).flatMap(([name, member]) => {
        const areBoth = typeof member === 'object' && typeof allowed[name] === 'object';
        return areBoth ? compare(member as Schema, allowed[name] as Schema, place + name) : [];
      }),
    ];
  }

  return compare;
}

function compareValues(one: Schema, option: Schema, place: string): string[] {
  const [values, allowed] = [one, option].map((of) => ('const' in of ? [of.const] : of.enum));
  if (allowed && !values) return [`${place}: any value`];
  const others = values?.filter((value) => allowed && !allowed.includes(value));
  if (others) return others.map((value) => `${place}: the value ${JSON.stringify(value)}`);
  const limit = (of: Schema, keyword: string, sign: number) => sign * Number(of[keyword] ?? -sign * Number.MAX_VALUE);
  const differs = [
    ...lower.filter((keyword) => limit(one, keyword, 1) < limit(option, keyword, 1)),
    ...upper.filter((keyword) => limit(one, keyword, -1) < limit(option, keyword, -1)),
    ...['pattern', 'format'].filter((keyword) => option[keyword] !== undefined && option[keyword] !== one[keyword]),
  ];
  return differs.map((keyword) => `${place}: ${keyword} ${one[keyword] ?? 'none'}, not ${option[keyword]}`);
}

/** Returns the schemas of one type each, one of which a value has. */
function alternatives(schema: Schema, document: unknown): Schema[] {
  const { anyOf, oneOf, ...one } = resolve(schema, document);
  const several = anyOf ?? oneOf;
  if (several) return several.flatMap((it) => alternatives(it, document));
  return Array.isArray(one.type) ? one.type.map((type) => ({ ...one, type })) : [one];
}
