import { closestMatch } from 'leven';
import { z } from 'zod';
import { formatIssue } from './word-issue.ts';

/** Form of any object with keys. */
export const keyed = z.looseObject({}, 'must be keys with values');

/** Condition of a check that needs an object, however many of its keys have errors. */
export const whenKeyed = { when: ({ value }: { readonly value: unknown }) => keyed.safeParse(value).success };

/** Condition of a check that compares parts, each of which is right. */
export const whenParsed = { when: ({ issues }: { readonly issues: readonly unknown[] }) => issues.length === 0 };

/** Creates the form of an object that accepts no other keys. A key that is missing since it is misspelt has one issue. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.looseObject(shape, 'must be keys with values').superRefine((given, { addIssue, issues }) => {
    for (const key of Object.keys(given).filter((name) => !known.includes(name))) {
      const meant = closestMatch(key, known, { maxDistance: key.length / 3 });
      const missing = issues.findIndex(({ path: [first] = [] }) => meant && first === meant && !(meant in given));
      if (missing >= 0) issues.splice(missing, 1);
      const message = `is not known here; ${meant ? `did you mean ${meant}?` : `known are ${known.join(', ')}`}`;
      addIssue({ code: 'custom', path: [key], message });
    }
  }, whenKeyed);
}

/**
 * Parses keys by a form that one of them decides, within the transformation of another form, which gets the issues; `missing` says what is
 * wrong with a key that is not there.
 */
export function parseWithin<T>(
  form: z.ZodType<T>,
  given: Readonly<Record<string, unknown>>,
  issues: z.core.$ZodRawIssue[],
  missing = 'is missing',
): T | undefined {
  const { data, error } = form.safeParse(given, { error: formatIssue });
  for (const { path, code, message } of error?.issues ?? []) {
    const isMissing = code !== 'custom' && given[String(path[0])] === undefined;
    issues.push({ code: 'custom', path: [...path], message: isMissing ? missing : message, input: given });
  }
  return data;
}
