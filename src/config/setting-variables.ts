import { z } from 'zod';
import { isObject } from '../base/json.ts';
import { isDistinct, toList } from '../forms/forms.ts';
import { schemaOf } from '../forms/section.ts';

type Spelled<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${Uppercase<First>}${Spelled<Rest>}`
    : `_${First}${Spelled<Rest>}`
  : '';

type Names<Prefix extends string, Key extends string> = { readonly [K in Key]: `${Prefix}_${Spelled<K>}` };

export const namesOf = <const Prefix extends string, Key extends string>(prefix: Prefix, keys: readonly Key[]) =>
  Object.fromEntries(
    keys.map((key) => [key, `${prefix}_${key.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`]),
  ) as Names<Prefix, Key>;

/** Each variable is read by the form of its setting. Shows the default that all forms share. */
export function variablesOf<Named extends Readonly<Record<string, string>>>(
  names: Named,
  formsOf: (key: keyof Named) => readonly z.ZodType[],
) {
  const variables = Object.entries(names).map(([key, name]) => {
    const [usual, ...others] = formsOf(key).map((form) => textOf(schemaOf(form).default));
    return [name, usual && others.every((it) => it === usual) ? z.string().default(usual) : z.string().optional()];
  });
  return Object.fromEntries(variables) as Readonly<Record<Named[keyof Named], z.ZodType<string | undefined>>>;
}

const textOf = (usual: unknown): string => (isObject(usual) ? '' : String(usual ?? ''));

export const PAIRS =
  'name=value, separated by commas, each name once; within a value %2C is a comma and %25 a percent sign';

/** A value whose form is neither a list nor pairs stays text. */
export function readText(form: z.ZodType, text: string): unknown {
  const { type, anyOf } = schemaOf(form);
  if (type === 'object') return readPairs(text) ?? text;
  return type === 'array' || (type === undefined && !anyOf) ? toList(text) : text;
}

function readPairs(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = toList(text).map((item) => {
    const [name = '', ...values] = item.split('=');
    return /\s/.test(name.trim()) ? [] : [name.trim(), values.join('=').trim()];
  });
  try {
    const entries = pairs.map(([name = '', value = '']) => [name, decodeURIComponent(value)] as const);
    const names = entries.map(([name]) => name);
    return entries.flat().every(Boolean) && isDistinct(names) ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined;
  }
}
