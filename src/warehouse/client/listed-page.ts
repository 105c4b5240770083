import { z } from 'zod';
import type { ListedRow, SweptKind } from '../../../activities/ports/sweep.ts';
import { readerOf } from '../../domain/json.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { id, lenient, rowsOf } from '../resources/resource.ts';
import { transactionSchema } from '../resources/transaction.ts';

/** Row of a listing, with the time that shows whether a filter was applied. */
export interface Row extends ListedRow {
  /** Local time without an offset; absent if the row has none. */
  readonly changedAt?: string | undefined;
}

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
      rows: rowsOf(page) ?? (page.totalresults === 0 ? [] : undefined),
    }))
    .pipe(z.object({ total: z.number().optional(), rows: z.array(rowSchema(kind, properties)) }));
}

function rowSchema(kind: SweptKind, { id: idPath, changed }: RowProperties) {
  const listed = z
    .looseObject({})
    .transform((row) => {
      const read = readerOf(row);
      // A row that was never changed may only have the time of its creation.
      const changedAt = read(...stepsOf(changed)) ?? read('readonly', 'creationdate');
      return { id: read(...stepsOf(idPath)), changedAt, facts: read('readonly') };
    })
    .pipe(z.object({ id, changedAt: z.unknown().transform(textOrNothing), facts: z.looseObject({}) }));
  return z
    .intersection(transactionSchema(kind), listed)
    .transform(({ snapshot, facts, ...row }): Row => ({ ...row, snapshot: withoutGuesses(snapshot, facts) }));
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const stepsOf = (path: string): string[] => path.toLowerCase().split('.');

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
