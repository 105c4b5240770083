import { z } from 'zod';
import type { ListedRow, SweptKind } from '../../../activities/ports/sweep.ts';
import { type Reader, readerOf } from '../../domain/json.ts';
import { id, lenient, rowsOf } from '../resources/resource.ts';
import { transactionSchema } from '../resources/transaction.ts';

/** Row of a listing, with the time that shows whether a filter was applied. */
export interface Row extends ListedRow {
  /** Local time without an offset; absent if the row has none. */
  readonly changedAt?: string | undefined;
}

/** Relation of each kind's rows. */
const relations = {
  order: /orders?$/i,
  receipt: /receivers?$/i,
  adjustment: /adjustments?$/i,
  assembly: /assembl(?:y|ies)$/i,
} as const satisfies Record<SweptKind, RegExp>;

/** Dotted paths of a row's id and of the time of its last change, in any case. */
interface RowProperties {
  readonly id: string;
  readonly changed: string;
}

/** Creates the schema of a page with its keys in lower case. Every row needs an id. */
export function listedPage(kind: SweptKind, properties: RowProperties) {
  return z
    .looseObject({ totalresults: lenient(z.number()) })
    .transform((page): unknown => ({
      total: page.totalresults,
      // HAL leaves out what is empty.
      rows: rowsOf(page, relations[kind]) ?? (page.totalresults === 0 ? [] : undefined),
    }))
    .pipe(z.object({ total: z.number().optional(), rows: z.array(rowSchema(kind, properties)) }));
}

function rowSchema(kind: SweptKind, { id: idPath, changed }: RowProperties) {
  const listed = z
    .looseObject({})
    .transform((row): unknown => {
      const read = readerOf(row);
      // A row that was never changed may only have the time of its creation.
      const changedAt = find(read, changed) ?? find(read, 'readonly.creationdate');
      return { id: find(read, idPath), changedAt };
    })
    .pipe(z.object({ id, changedAt: lenient(z.string()) }));
  return z
    .intersection(transactionSchema(kind), listed)
    .transform(({ snapshot, id, changedAt }): Row => ({ id, changedAt, snapshot }));
}

/** Reads what is at a dotted path, or else at the top of the row. */
function find(read: Reader, path: string): unknown {
  const steps = path.toLowerCase().split('.');
  return read(...steps) ?? read(...steps.slice(-1));
}
