import { z } from 'zod';
import { headerPairs, list } from '../forms/forms.ts';

/** Spelling of a key in the name of a variable: `workflowType` is `WORKFLOW_TYPE`. */
type Spelled<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${Uppercase<First>}${Spelled<Rest>}`
    : `_${First}${Spelled<Rest>}`
  : '';

/** Names of the variables of settings, by their keys. */
type Names<Prefix extends string, Key extends string> = { readonly [K in Key]: `${Prefix}_${Spelled<K>}` };

/** Returns the names of the variables that give settings. */
export const namesOf = <const Prefix extends string, Key extends string>(prefix: Prefix, keys: readonly Key[]) =>
  Object.fromEntries(
    keys.map((key) => [key, `${prefix}_${key.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`]),
  ) as Names<Prefix, Key>;

/** Returns the variables that give settings: each takes text, and the form of its setting parses that. */
export function variablesOf<Named extends Readonly<Record<string, string>>>(
  names: Named,
  formsOf: (key: keyof Named) => readonly z.ZodType[],
) {
  const variables = Object.entries(names).map(([key, name]) => [name, variableFor(formsOf(key))]);
  return Object.fromEntries(variables) as Readonly<Record<Named[keyof Named], z.ZodType>>;
}

/** Returns the form of the variable of a setting, which several may have with one form each: it has a default where all have the same. */
function variableFor(forms: readonly z.ZodType[]): z.ZodType {
  const described = forms.map((form) => z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }));
  const [{ type, enum: values, default: usual } = {}] = described;
  if (type === 'object') return headerPairs;
  if (type === 'array' || type === undefined)
    return Array.isArray(usual) ? list.prefault(usual.join()) : list.optional();
  const form = values ? z.enum(values as string[]) : z.string();
  const isUsual = ['string', 'number'].includes(typeof usual) && described.every((it) => it.default === usual);
  return isUsual ? form.default(String(usual)) : form.optional();
}
