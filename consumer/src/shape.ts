import { AnnouncementError } from './announcement-error.ts';

/** Checks a value; throws `ERR_MALFORMED`, which names the path, if it has another form. */
export type Check = (value: unknown, path: string) => void;

const typed =
  (type: 'string' | 'number' | 'boolean'): Check =>
  (value, path) => {
    if (typeof value !== type) refuse(path, `a ${type}`);
  };

/** Checks for a text, a number, a boolean. */
export const text = typed('string');
export const number = typed('number');
export const flag = typed('boolean');

/** Checks for a positive integer. */
export const count: Check = (value, path) => {
  if (!Number.isSafeInteger(value) || Number(value) < 1) refuse(path, 'a positive integer');
};

/** Checks for any JSON value. */
export const json: Check = (value, path) => {
  if (value === undefined) refuse(path, 'there');
};

/** Checks for a text that matches a pattern. */
export const matching =
  (pattern: RegExp): Check =>
  (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) refuse(path, `a text like ${pattern}`);
  };

/** Checks for one value. */
export const literal =
  (wanted: string): Check =>
  (value, path) => {
    if (value !== wanted) refuse(path, JSON.stringify(wanted));
  };

/** Allows a member to be absent. */
export const optional =
  (check: Check): Check =>
  (value, path) => {
    if (value !== undefined) check(value, path);
  };

/** Allows null. */
export const nullable =
  (check: Check): Check =>
  (value, path) => {
    if (value !== null) check(value, path);
  };

/** Checks every element of a list. */
export const list =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) refuse(path, 'a list');
    for (const [index, element] of value.entries()) check(element, `${path}[${index}]`);
  };

/** Checks the members of an object, and allows others. */
export const object =
  <T>(members: { readonly [K in keyof T]-?: Check }): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'an object');
    for (const name of Object.keys(members) as (keyof T & string)[]) {
      members[name]((value as Partial<Record<string, unknown>>)[name], `${path}.${name}`);
    }
  };

function refuse(path: string, wanted: string): never {
  throw new AnnouncementError('ERR_MALFORMED', `${path} is not ${wanted}`);
}
