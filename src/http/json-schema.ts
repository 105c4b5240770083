import { z } from 'zod';

/** JSON Schema of OpenAPI 3.1 (draft 2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export const schemaRef = (name: string): string => `#/components/schemas/${name}`;

type Override = (context: { readonly jsonSchema: JsonSchema }) => void;

/** Leaves out the limits of JavaScript's integers, the pattern that repeats a format, and that an array is not written to. */
const plain: Override = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  delete jsonSchema.readOnly;
};

/** Leaves out that an object has no other members, because later versions may add some. */
const open: Override = (context) => {
  plain(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
};

/** Converts the schema of a request, which has no other members than those it names. */
export function requestSchema(schema: z.ZodType): JsonSchema {
  return withoutIds(z.toJSONSchema(schema, { io: 'input', override: plain }));
}

/** Converts schemas of what Dockline sends into the components of an OpenAPI document. They refer to each other by name. */
export function componentSchemas(schemas: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, { io: 'input', uri: schemaRef, override: open }).schemas;
  return Object.fromEntries(Object.entries(converted).map(([name, schema]) => [name, withoutIds(schema)]));
}

/** Converts a schema of what Dockline sends into a document of its own. */
export const standaloneSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', override: open });

const withoutIds = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;
