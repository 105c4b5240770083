import { setTimeout as pause } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { type SearchAttributeName, searchAttributes } from '../domain/search-attributes.ts';

type Type = (typeof searchAttributes)[SearchAttributeName];

/** `IndexedValueType` of Temporal's API. */
const typeNumbers = { KEYWORD: 2, DATETIME: 6, KEYWORD_LIST: 7 } as const satisfies Record<Type, number>;

/** Time in which the server must list a registered attribute, in milliseconds. */
const LISTING_DEADLINE_MS = 30_000;

/**
 * Registers Dockline's search attributes in the namespace; idempotent. Rejects with a message for the user if the server refuses or an
 * attribute exists with another type, and with the client's own error if Temporal does not answer.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { operatorService } = connection;
  const missing = () => listMissingSearchAttributes(connection, namespace);
  try {
    const wanted = await missing();
    if (wanted.length === 0) return;
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(wanted.map((name) => [name, typeNumbers[searchAttributes[name]]])),
    });
    const deadline = Date.now() + LISTING_DEADLINE_MS;
    while ((await missing()).length > 0) {
      if (Date.now() > deadline) throw new Error(`Temporal does not list the search attributes that it registered`);
      await pause(100);
    }
  } catch (error) {
    throw explain(error, namespace);
  }
}

/** Lists Dockline's search attributes that the namespace lacks. Rejects if one exists with another type. */
export async function listMissingSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
): Promise<SearchAttributeName[]> {
  const { customAttributes: existing } = await operatorService.listSearchAttributes({ namespace });
  const names = Object.keys(searchAttributes) as SearchAttributeName[];
  const clash = names.find((name) => name in existing && existing[name] !== typeNumbers[searchAttributes[name]]);
  if (clash) {
    throw new Error(
      `The search attribute ${clash} exists in Temporal with another type than ${searchAttributes[clash]}; ` +
        'remove it there, or set TEMPORAL_NAMESPACE to a namespace of its own',
    );
  }
  return names.filter((name) => !(name in existing));
}

/** An administrator has to register them. */
const FORBIDDEN = [status.PERMISSION_DENIED, status.UNIMPLEMENTED, status.UNAUTHENTICATED];

function explain(error: unknown, namespace: string): unknown {
  if (!isGrpcServiceError(error) || !FORBIDDEN.includes(error.code)) return error;
  const wanted = Object.entries(searchAttributes).map(([name, type]) => `${name} (${type})`);
  return new Error(
    `Temporal does not let Dockline register search attributes (${error.details}); ` +
      `ask its operator to add to the namespace ${namespace}: ${wanted.join(', ')}`,
    { cause: error },
  );
}
