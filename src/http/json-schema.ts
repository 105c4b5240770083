import { z } from 'zod';

/** OpenAPI 3.1 (draft 2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export const schemaRef = (name: string): string => `#/components/schemas/${name}`;

type Override = (context: { readonly jsonSchema: JsonSchema }) => void;

/** Leaves out limits of JavaScript's integers, patterns that repeat a format, and that an array is read-only. */
const plain: Override = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  delete jsonSchema.readOnly;
};

/** Later versions may add members. */
const open: Override = (context) => {
  plain(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
};

export function requestSchema(schema: z.ZodType): JsonSchema {
  return withoutIds(z.toJSONSchema(schema, { io: 'input', override: plain }));
}

export function componentSchemas(schemas: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, { io: 'input', uri: schemaRef, override: open }).schemas;
  return Object.fromEntries(Object.entries(converted).map(([name, schema]) => [name, withoutIds(schema)]));
}

export const standaloneSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', override: open });

const withoutIds = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;
