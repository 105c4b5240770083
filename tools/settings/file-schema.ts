import { z } from 'zod';
import { sections } from '../../src/config/file.ts';
import { tenantForms } from '../../src/config/tenants/tenant.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A value may name variables, and YAML reads a number or yes where a text is wanted. */
const VARIABLE = { type: 'string', pattern: '\\$\\{\\w+\\}' };

const { tenant: _tenant, tpl: _tpl, ...shared } = tenantForms;

/** What a warehouse leaves out may be in the defaults. */
const fileForm = z
  .object({
    ...sections,
    defaults: z.object(shared).partial().describe(`${sections.defaults.description}`),
    warehouses: z.array(z.object(tenantForms).partial()).min(1).describe(`${sections.warehouses.description}`),
  })
  .partial();

/** JSON Schema of the file of settings, for editors. What depends on several values at once is left to the start. */
export function describeFile(): JsonSchema {
  const { $schema: _, ...schema } = convert(fileForm);
  const { defaults, warehouses } = schema.properties as Readonly<Record<'defaults' | 'warehouses', JsonSchema>>;
  const { properties: own = {} } = warehouses.items as JsonSchema;
  for (const key of Object.keys(defaults.properties ?? {}))
    own[key] = { $ref: `#/properties/defaults/properties/${key}` };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Dockline (CONFIG_FILE)',
    ...schema,
  };
}

const convert = (form: z.ZodType): JsonSchema =>
  z.toJSONSchema(form, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.properties) jsonSchema.additionalProperties = false;
      soften(jsonSchema);
    },
  });

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
