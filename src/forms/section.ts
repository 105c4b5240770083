import { closestMatch } from 'leven';
import { z } from 'zod';
import { isObject } from '../base/json.ts';

export type Rule<Key = string> = readonly [isBroken: unknown, key: Key, problem: string];

/** As JSON Schema, of what is given; whatever that cannot express is left open. */
export const schemaOf = (form: z.ZodType): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' });

/** Accepts no other keys. A misspelt key has one issue. Rules are read once every key is right. */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  rules: (given: z.output<z.ZodObject<Shape>>) => readonly Rule[] = () => [],
  { missing = 'is missing', elsewhere = new Map<string, string>() } = {},
) {
  const known = Object.keys(shape);
  return z
    .looseObject(shape, 'must be keys with values')
    .superRefine(
      (given, { addIssue, issues }) => {
        for (const [at, issue] of issues.entries())
          if (issue.path?.length === 1 && given[String(issue.path[0])] === undefined)
            issues[at] = { ...issue, message: missing };
        for (const key of Object.keys(given).filter((name) => !known.includes(name))) {
          const meant = closestMatch(key, known, { maxDistance: key.length / 3 });
          const lacking = issues.findIndex(({ path: [first] = [] }) => meant && first === meant && !(meant in given));
          if (lacking >= 0) issues.splice(lacking, 1);
          const place = elsewhere.get(key);
          const hint = meant
            ? `did you mean ${meant}?`
            : place
              ? `it is for ${place}`
              : `known are ${known.join(', ')}`;
          addIssue({ code: 'custom', path: [key], message: `is not known here; ${hint}` });
        }
      },
      { when: ({ value }) => isObject(value) },
    )
    .superRefine(
      (given, { addIssue }) => {
        for (const [isBroken, key, message] of rules(given as z.output<z.ZodObject<Shape>>))
          if (isBroken) addIssue({ code: 'custom', path: key.split('/'), message });
      },
      { when: ({ issues }) => issues.length === 0 },
    );
}

interface Variant {
  readonly shape: z.ZodRawShape;
  readonly rules?: (given: never) => readonly Rule[];
}

export function variants(
  key: string,
  of: Readonly<Record<string, Variant>>,
  { usual, about }: { readonly usual?: string; readonly about: string },
) {
  const elsewhere = new Map<string, string>();
  for (const [name, { shape }] of Object.entries(of))
    for (const it of Object.keys(shape))
      elsewhere.set(it, elsewhere.has(it) ? `${elsewhere.get(it)} or ${name}` : `${key}: ${name}`);
  const options = Object.entries(of).map(([name, { shape, rules }]) => {
    const named = z.literal(name).describe(about);
    const tag = name === usual ? named.default(name) : named;
    const missing = `is required with ${key}: ${name}`;
    return section({ [key]: tag, ...shape }, rules as () => readonly Rule[], { missing, elsewhere });
  });
  return z.discriminatedUnion(key, options as unknown as [z.ZodObject]) as unknown as z.ZodType<
    Readonly<Record<string, unknown>>
  >;
}
