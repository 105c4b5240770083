import { z } from 'zod';

/** OpenAPI 3.1 (draft 2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

type Override = (context: { readonly jsonSchema: JsonSchema }) => void;

/** Leaves out limits of JavaScript's integers, patterns that repeat a format, and that an array is read-only. */
export const plain: Override = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  delete jsonSchema.readOnly;
};

/** Later versions may add members. */
export const open: Override = (context) => {
  plain(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
};

export const standaloneSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', override: open });
