import type { Answer } from './answers.ts';
import type { BulkAction } from './bulk/ports.ts';
import type { Erasure, ListedSubject, StoredCounts } from './ports.ts';

const iso = (time: number): string => new Date(time).toISOString();

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const showTrouble = <T extends { readonly since: number; readonly nextTryAt: number }>({
  since,
  nextTryAt,
  ...trouble
}: T) => ({ ...trouble, since: iso(since), nextTryAt: iso(nextTryAt) });

/** Page of a list; `next` is the `after` of the following page. */
export interface ShownPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Makes a page of rows; a page with as many rows as its limit may be followed by another. */
export function pageOf<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  { show, placeOf }: { readonly show: (row: Row) => Shown; readonly placeOf: (row: Row) => string },
): ShownPage<Shown> {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { items: rows.map(show), next: last === undefined ? null : placeOf(last) };
}

/** Shows a subject with readable times. */
export const showSubject = ({
  lastEventAt,
  updatedAt,
  stageSince,
  retrieving,
  announcing,
  ...subject
}: ListedSubject): Answer<'ListedSubject'> => ({
  ...subject,
  stageSince: iso(stageSince),
  retrieving: retrieving && showTrouble(retrieving),
  announcing: announcing && showTrouble(announcing),
  lastEventAt: lastEventAt > 0 ? iso(lastEventAt) : null,
  updatedAt: iso(updatedAt),
});

/** Shows an erasure with a readable time. */
export const showErasure = ({ at, ...erasure }: Erasure) => ({ at: iso(at), ...erasure });

/** Shows a bulk action with readable times. */
export const showBulk = ({ createdAt, expiresAt, confirmedAt, finishedAt, ...bulk }: BulkAction): Answer<'Bulk'> => ({
  ...bulk,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
  confirmedAt: isoOrNull(confirmedAt),
  finishedAt: isoOrNull(finishedAt),
});

/** Shows the status with readable times. */
export const showStatus = ({
  reasons,
  counts: { quarantinedEvents: quarantined, waiting, failing, ...counts },
}: {
  readonly reasons: Answer<'Status'>['inbox']['quarantinedByReason'];
  readonly counts: StoredCounts;
}): Answer<'Status'> => ({
  inbox: {
    waiting: waiting.count,
    oldestReceivedAt: isoOrNull(waiting.oldest),
    quarantined,
    quarantinedByReason: reasons,
  },
  failing: failing.map(showTrouble),
  ...counts,
});
