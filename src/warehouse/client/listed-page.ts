import { z } from 'zod';
import type { ListedRow, SweptKind } from '../../../activities/ports/sweep.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { id, lenient, rowsOf } from '../resources/resource.ts';
import { transactionSchema } from '../resources/transaction.ts';

/** Row of a listing, with the time that shows whether a filter was applied. */
export interface Row extends ListedRow {
  /** Local time without an offset; absent if the row has none. */
  readonly changedAt?: string | undefined;
}

/** Creates the schema of a page with its keys in lower case. Every row needs an id by that name. */
export function listedPage(kind: SweptKind, idName: string) {
  return z
    .looseObject({ totalresults: lenient(z.number()) })
    .transform((page): unknown => ({
      total: page.totalresults,
      // HAL leaves out what is empty.
      rows: rowsOf(page) ?? (page.totalresults === 0 ? [] : undefined),
    }))
    .pipe(z.object({ total: z.number().optional(), rows: z.array(rowSchema(kind, idName.toLowerCase())) }));
}

function rowSchema(kind: SweptKind, idField: string) {
  const readOnly = z.looseObject({
    [idField]: id,
    lastmodifieddate: lenient(z.string()),
    creationdate: lenient(z.string()),
  });
  return z.intersection(transactionSchema(kind), z.object({ readonly: readOnly })).transform(
    ({ snapshot, readonly: facts }): Row => ({
      id: facts[idField] as string,
      snapshot: withoutGuesses(snapshot, facts),
      // A row that was never changed may only have the time of its creation.
      changedAt: facts.lastmodifieddate ?? facts.creationdate,
    }),
  );
}

/** Drops facts that the row omits: in a GET of the subject their absence would mean something, in a row it does not. */
function withoutGuesses(
  { status, fullyAllocated, ...snapshot }: Snapshot,
  facts: Readonly<Record<string, unknown>>,
): Snapshot {
  const hasFact = (name: string) => facts[name] !== undefined && facts[name] !== null;
  return {
    ...snapshot,
    ...(status && (hasFact('status') || hasFact('isclosed')) && { status }),
    ...(fullyAllocated !== undefined && hasFact('fullyallocated') && { fullyAllocated }),
  };
}
