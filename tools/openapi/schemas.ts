import { z } from 'zod';
import { type JsonSchema, open, plain } from '../../src/destinations/announcements/cloud-event.ts';

export const schemaRef = (name: string): string => `#/components/schemas/${name}`;

export function requestSchema(schema: z.ZodType): JsonSchema {
  return withoutIds(z.toJSONSchema(schema, { io: 'input', override: plain }));
}

export function componentSchemas(schemas: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, { io: 'input', uri: schemaRef, override: open }).schemas;
  return Object.fromEntries(Object.entries(converted).map(([name, schema]) => [name, withoutIds(schema)]));
}

const withoutIds = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;
