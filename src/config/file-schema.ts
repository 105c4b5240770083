import { z } from 'zod';
import { allKeysOf } from '../forms/keys.ts';
import { fileForm } from './file.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A value may name variables, and YAML reads a number or yes where a text is wanted. */
const VARIABLE = { type: 'string', pattern: '\\$\\{\\w+\\}' };

/**
 * Describes the file of settings for editors, as JSON Schema. What depends on several values at once, such as which keys a kind of
 * destination needs, is left to the start, which says it with its line.
 */
export const describeFile = (): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Settings of Dockline (CONFIG_FILE)',
  ...withoutVersion(convert(fileForm)),
});

const convert = (form: z.ZodType): JsonSchema =>
  z.toJSONSchema(form, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const keys = allKeysOf(zodSchema);
      if (keys) Object.assign(jsonSchema, { required: undefined }, withoutVersion(convert(keys)));
      if (jsonSchema.properties) jsonSchema.additionalProperties = false;
      soften(jsonSchema);
    },
  });

const withoutVersion = ({ $schema: _, ...schema }: JsonSchema): JsonSchema => schema;

/** Accepts what the reader of the file makes into the wanted value. */
function soften(schema: JsonSchema): void {
  const { type, enum: values, minimum, maximum, exclusiveMinimum, ...others } = schema;
  if (type === 'string' && values === undefined) schema.type = ['string', 'number', 'boolean'] as unknown as 'string';
  else if (type === 'string' || type === 'number' || type === 'integer') {
    for (const key of Object.keys(schema)) delete schema[key];
    const limits = Object.entries({ type, enum: values, minimum, maximum, exclusiveMinimum });
    Object.assign(schema, others, {
      anyOf: [Object.fromEntries(limits.filter(([, value]) => value !== undefined)), VARIABLE],
    });
  }
}
