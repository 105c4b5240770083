import { type JsonSchema, schemaRef } from '../../http/json-schema.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const { $ref, examples: [first] = [], const: only, enum: values, anyOf, oneOf } = schema;
  if ($ref) return exampleOf(schemas[$ref.slice(schemaRef('').length)] ?? {}, schemas);
  const given = first ?? schema.default ?? only ?? values?.[0];
  if (given !== undefined) return given;
  const [alternative] = (anyOf ?? oneOf ?? []) as readonly JsonSchema[];
  return alternative ? exampleOf(alternative, schemas) : ofType(schema, schemas);
}

function ofType(
  { type, format, minimum, properties = {}, required = [], additionalProperties = {}, items }: JsonSchema,
  schemas: Schemas,
): unknown {
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        [...new Set([...Object.keys(properties), ...required])].map((name) => [
          name,
          exampleOf((properties[name] ?? additionalProperties) as JsonSchema, schemas),
        ]),
      );
    case 'array':
      return items ? [exampleOf(items as JsonSchema, schemas)] : [];
    case 'string':
      return format === 'date-time' ? '2026-02-11T10:00:00.000Z' : 'text';
    case 'boolean':
      return true;
    default:
      return minimum ?? 1;
  }
}
