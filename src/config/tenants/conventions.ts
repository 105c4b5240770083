import { z } from 'zod';
import { placeholdersOf } from '../../domain/catalogue/paths.ts';
import { section } from './section.ts';

/** Creates the form of values that replace some of the standard ones, by their names. */
export function replacing<Name extends string>(
  standard: Readonly<Record<Name, string>>,
  formOf: (standard: string) => z.ZodType<string>,
) {
  const shape = Object.fromEntries(
    Object.entries<string>(standard).map(([name, value]) => [name, formOf(value).default(value)]),
  );
  return section(shape as Record<Name, z.ZodDefault<z.ZodType<string>>>);
}

/** Creates the form of a path, which has the ids of the standard one. It may have a query, which asks for further sections. */
export function pathForm(standard: string) {
  const needed = placeholdersOf(standard);
  return z
    .string()
    .regex(/^\/[^\s#]*$/, 'must be a path that begins with /')
    .refine((path) => hasSame(placeholdersOf(path), needed), describePlaceholders(needed));
}

const hasSame = (given: readonly string[], needed: readonly string[]): boolean =>
  given.toSorted().join() === needed.toSorted().join();

function describePlaceholders(needed: readonly string[]): string {
  if (needed.length === 0) return 'must not contain an id in braces';
  return `must contain ${needed.map((name) => `{${name}}`).join(' and ')} once, and no other id in braces`;
}

/** Creates the form of a property: a dotted path within a row. */
export const propertyForm = () => z.string().regex(/^\w+(\.\w+)*$/, 'must be a name such as readOnly.lastModifiedDate');
