import { setTimeout as pause } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import {
  type SearchAttributeChoice,
  type SearchAttributeName,
  searchAttributeChoices,
  searchAttributes,
} from '../domain/search-attributes.ts';
import { isOutage } from './connection.ts';

type Type = (typeof searchAttributes)[SearchAttributeName];

/** `IndexedValueType` of Temporal's API. */
const typeNumbers = { KEYWORD: 2, DATETIME: 6, KEYWORD_LIST: 7 } as const satisfies Record<Type, number>;

const LISTING_DEADLINE_MS = 30_000;

/** Attribute that the namespace does not have; workflows do without. */
interface LackingAttribute {
  readonly name: SearchAttributeName;
  readonly because: string;
}

export function createSearchAttributes({
  connection,
  namespace,
  choice,
}: {
  readonly connection: Connection;
  readonly namespace: string;
  readonly choice: SearchAttributeChoice;
}) {
  const names: readonly SearchAttributeName[] = searchAttributeChoices[choice];
  let lacking: readonly LackingAttribute[] = [];
  return {
    /** Registers missing ones while there is room. Rejects with the client's own error if Temporal does not answer. */
    async register(): Promise<void> {
      lacking = await registerSearchAttributes(connection, namespace, names);
    },
    lacking: () => lacking,
    kept: (): SearchAttributeChoice | readonly SearchAttributeName[] =>
      lacking.length === 0 ? choice : names.filter((name) => !lacking.some((it) => it.name === name)),
  };
}

/** Idempotent. Returns those that are refused, or exist with another type. */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  names: readonly SearchAttributeName[],
): Promise<readonly LackingAttribute[]> {
  const { missing, clashing } = await compareSearchAttributes(connection, namespace, names);
  if (missing.length === 0) return clashing;
  // One by one only where the namespace refuses them together: it may have room for some.
  const together = await add(connection, namespace, missing);
  const refused: LackingAttribute[] = [];
  for (const name of together === undefined ? [] : missing) {
    const because = await add(connection, namespace, [name]);
    if (because !== undefined) refused.push({ name, because });
  }
  const added = missing.filter((name) => !refused.some((it) => it.name === name));
  const deadline = Date.now() + LISTING_DEADLINE_MS;
  while (added.length > 0 && (await compareSearchAttributes(connection, namespace, added)).missing.length > 0) {
    if (Date.now() > deadline) throw new Error('Temporal does not list the search attributes that it registered');
    await pause(100);
  }
  return [...clashing, ...refused];
}

async function add(
  { operatorService }: Connection,
  namespace: string,
  names: readonly SearchAttributeName[],
): Promise<string | undefined> {
  const types = Object.fromEntries(names.map((name) => [name, typeNumbers[searchAttributes[name]]]));
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: types });
    return undefined;
  } catch (error) {
    if (!isGrpcServiceError(error) || (isOutage(error) && !FORBIDDEN.includes(error.code))) throw error;
    return error.details;
  }
}

const FORBIDDEN = [status.PERMISSION_DENIED, status.UNIMPLEMENTED, status.UNAUTHENTICATED];

async function compareSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
  names: readonly SearchAttributeName[],
): Promise<{ readonly missing: readonly SearchAttributeName[]; readonly clashing: readonly LackingAttribute[] }> {
  const { customAttributes: existing } = await operatorService.listSearchAttributes({ namespace });
  const clashing = names.filter((name) => name in existing && existing[name] !== typeNumbers[searchAttributes[name]]);
  return {
    missing: names.filter((name) => !(name in existing)),
    clashing: clashing.map((name) => ({ name, because: `it exists with another type than ${searchAttributes[name]}` })),
  };
}
