import { z } from 'zod';
import { calendarsForm } from './calendars.ts';
import { allKeysOf } from './keys.ts';
import { tenantSchema } from './schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A value may name variables, and YAML reads a number or yes where a text is wanted. */
const VARIABLE = { type: 'string', pattern: '\\$\\{\\w+\\}' };

/**
 * Describes the file of warehouses for editors, as JSON Schema. What depends on several values at once, such as which keys a kind of
 * destination needs, is left to the start, which says it with its line.
 */
export function describeWarehousesFile(): JsonSchema {
  const described = convert(
    z.object({
      calendars: calendarsForm.optional().describe('Calendars of the deadlines, by name.'),
      warehouses: z.array(tenantSchema).min(1).describe('The warehouses.'),
    }),
  );
  const { calendars, warehouses } = described.properties as Record<'calendars' | 'warehouses', JsonSchema>;
  // Whatever a warehouse leaves out comes from `defaults` or from the variables.
  const { required: _, ...warehouse } = warehouses.items as JsonSchema;
  const { tenant: _tenant, tpl: _tpl, ...shared } = warehouse.properties ?? {};
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Warehouses of Dockline (WAREHOUSES_FILE)',
    type: 'object',
    properties: {
      defaults: {
        ...warehouse,
        description: 'Settings of every warehouse that does not say otherwise.',
        properties: shared,
      },
      calendars,
      warehouses: { ...warehouses, items: warehouse },
    },
    required: ['warehouses'],
    additionalProperties: false,
  };
}

const convert = (form: z.ZodType): JsonSchema =>
  z.toJSONSchema(form, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const keys = allKeysOf(zodSchema);
      if (keys) Object.assign(jsonSchema, withoutVersion(convert(keys)));
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
