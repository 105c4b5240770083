import { z } from 'zod';
import { DocklineError } from '../../domain/errors.ts';
import { memberOf } from '../../domain/json.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { describeCall, type Target } from '../client/transport.ts';

/** Reads any object: nothing of it is needed. */
export const anyObject = z.looseObject({});

/** Reads any object or list: nothing of it is needed. */
export const anyObjectOrList = z.union([anyObject, z.array(z.unknown())]);

/** Reads an id as text, whether the warehouse wrote a number or a string. */
export const id = z.union([z.string().min(1), z.number()]).transform(String);

/** Treats a value of another type as absent, as the warehouse omits what is null. */
export const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** Reads the id and the name of a customer, a facility or a user. */
export const identifier = lenient(z.object({ id: lenient(id), name: lenient(z.string()) }));

/** Leaves out facts that a record does not have or leaves empty. */
export function withoutAbsent(facts: { readonly [F in keyof Snapshot]: Snapshot[F] | undefined }): Snapshot {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== '')) as Snapshot;
}

/**
 * Reads an answer by a schema whose keys are in lower case, so that HAL's camelCase and the other form's PascalCase both match.
 * Integers that a double cannot hold arrive as text. Throws `ERR_WAREHOUSE_UNREADABLE`.
 */
export function readResource<T>(schema: z.ZodType<T>, target: Target, text: string): T {
  const read = schema.safeParse(parseJson(text));
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join('.') || 'the body';
  throw new DocklineError('ERR_WAREHOUSE_UNREADABLE', `${describeCall(target)} answered without a readable ${where}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

function revive(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return context.source;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]));
}

/**
 * Returns the rows of a page or of a list within a resource: those under HAL's `_embedded`, or its `ResourceList`. Of several lists it
 * returns the one whose relation matches.
 */
export function rowsOf(value: unknown, relation?: RegExp): readonly unknown[] | undefined {
  const embedded = Object.entries(memberOf(value, '_embedded') ?? {}).filter(([, rows]) => Array.isArray(rows));
  const [, rows] =
    embedded.find(([name]) => relation?.test(name)) ?? (embedded.length === 1 ? embedded[0] : undefined) ?? [];
  const list = rows ?? memberOf(value, 'resourcelist');
  return Array.isArray(list) ? list : undefined;
}

/** Makes a schema accept any other object or list as a record without facts, so that nothing waits for a wrong guess to come true. */
export const orUnreadable = <T>(schema: z.ZodType<T>) =>
  z.union([schema, anyObjectOrList.transform(() => ({ snapshot: {}, isUnreadable: true as const }))]);
