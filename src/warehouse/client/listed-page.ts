import { z } from 'zod';
import type { ListedRow, SweptKind } from '../../../activities/sweep-ports.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { id, lenient, rowsOf } from '../resources/resource.ts';
import { transactionSchema } from '../resources/transaction.ts';

/** A row of a listing, with what shows whether a filter by time was applied. */
export interface Row extends ListedRow {
  /** Local time without an offset; absent where the row tells none. */
  readonly changedAt?: string | undefined;
}

/** A page of a listing with its keys in lower case. Every row has to have an id by that name and be readable. */
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
      /** What was never changed may have no other time than that of its creation. */
      changedAt: facts.lastmodifieddate ?? facts.creationdate,
    }),
  );
}

/** What a row leaves out says nothing, though in a GET of the subject its absence would. */
function withoutGuesses(
  { status, fullyAllocated, ...snapshot }: Snapshot,
  facts: Readonly<Record<string, unknown>>,
): Snapshot {
  const tells = (name: string) => facts[name] !== undefined && facts[name] !== null;
  return {
    ...snapshot,
    ...(status && (tells('status') || tells('isclosed')) && { status }),
    ...(fullyAllocated !== undefined && tells('fullyallocated') && { fullyAllocated }),
  };
}
