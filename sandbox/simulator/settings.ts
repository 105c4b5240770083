import { z } from 'zod';

/** Creates a holder of settings that can be changed while the simulator runs; those that are not given have their defaults. */
export function createSettings<S extends z.ZodObject>(schema: S, initial: object = {}) {
  let current = schema.parse(initial);
  return {
    current: () => current,
    /** Changes the given settings only. Throws a ZodError for an unknown one or an invalid value. */
    set(changes: object) {
      current = schema.parse({ ...current, ...changes });
    },
    /** Returns to the initial ones. */
    reset() {
      current = schema.parse(initial);
    },
  };
}

/** Describes every setting with its values and its default, a line each. */
export function describeSettings(schema: z.ZodObject): string {
  const defaults = schema.parse({});
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = Object.keys(schema.shape);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return names
    .map((name) => {
      const { description, enum: values } = Object(properties[name]) as z.core.JSONSchema.Schema;
      const choices = values ? `${values.join(', ')}; ` : '';
      return `  ${name.padEnd(width)}${description} (${choices}default: ${inWords(defaults[name])})`;
    })
    .join('\n');
}

function inWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.keys(value).length === 0 ? 'none' : JSON.stringify(value);
}
