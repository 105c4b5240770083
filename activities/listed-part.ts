import { cancellationSignal } from '@temporalio/activity';
import type { SweptKind } from '../src/domain/catalogue/subject.ts';
import type { ListedPage, ListedRow, ListQuery } from '../src/warehouse/listed.ts';
import type { AskedSweep, SweepDeps } from './ports/sweep.ts';

/** Tenant, kind and time of a sweep. */
export interface Sweeping {
  readonly tenant: string;
  readonly kind: SweptKind;
  /** Start of the sweep, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Request for one page of a listing. */
export interface PageInput extends Sweeping, ListQuery {
  /** Number of rows on the pages before it. */
  readonly rowsBefore: number;
  /** Of a first page, if somebody asked for the sweep. */
  readonly asked?: AskedSweep;
}

/** Result of a part of a sweep. */
export interface Tally {
  /** Subjects listed because they changed. */
  readonly rows: number;
  /** Subjects requested because they are believed to be open. */
  readonly open: number;
  /** Subjects of both that differ from the store; each counts once. */
  readonly differing: number;
  /** Subjects believed to be open that the warehouse no longer lists. */
  readonly missing: number;
  /** Events that were new in the inbox, of the last two; the others were added by an earlier sweep. */
  readonly fed: number;
}

/** Page of a listing as the workflow goes on from it. */
interface PageEnd extends Pick<ListedPage, 'count' | 'total' | 'by' | 'anchor' | 'limitation'> {
  /** Reports whether there may be another page. */
  readonly more: boolean;
}

/** Result of a part that is one page of a listing. */
export type ListedPart = Tally & PageEnd;

export async function listPage(
  deps: SweepDeps,
  input: PageInput,
): Promise<PageEnd & { readonly rows: readonly ListedRow[] }> {
  const { tenant, startedAt, asked } = input;
  if (asked) await deps.onAsked({ tenant, startedAt, ...asked });
  const { rows, count, total, pageSize, by, anchor, limitation } = await deps
    .listingOf(tenant)
    .list(input, cancellationSignal());
  // A page may be shorter than was asked for, if the warehouse keeps to a size of its own.
  const passed = by.byNumber ? input.rowsBefore : 0;
  const more = total === undefined ? count >= pageSize : passed + count < total;
  return {
    rows,
    count,
    by,
    more: count > 0 && more,
    ...(anchor !== undefined && { anchor }),
    // What follows an id is counted without the rows before.
    ...(total !== undefined && { total: input.rowsBefore - passed + total }),
    ...(limitation && { limitation: sayLimitation(deps, input, limitation) }),
  };
}

/** Reports a limitation, and returns it. */
export function sayLimitation({ onLimitation }: SweepDeps, { tenant, kind }: Sweeping, message: string): string {
  onLimitation({ tenant, kind, message });
  return message;
}
