import { isUtf8 } from 'node:buffer';
import { subjectKey } from '../domain/catalogue/subject.ts';
import type { ListedAnnouncement, ListedSubject, QuarantinedEvent, QuarantineReason } from './ports.ts';

const iso = (time: number): string => new Date(time).toISOString();

/** A time as ISO 8601 has it. */
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

/** What fails, with readable times. */
export const showTrouble = <T extends { readonly since: number; readonly nextTryAt: number }>({
  since,
  nextTryAt,
  ...trouble
}: T) => ({ ...trouble, since: iso(since), nextTryAt: iso(nextTryAt) });

/** One page of a list; `next` is what `after` has to be for the page behind it. */
export interface ShownPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** The page of rows that were read up to its limit; a full one may have others behind it. */
export function pageOf<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  { show, placeOf }: { readonly show: (row: Row) => Shown; readonly placeOf: (row: Row) => string },
): ShownPage<Shown> {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { items: rows.map(show), next: last === undefined ? null : placeOf(last) };
}

/** A subject with readable times. */
export const showSubject = ({
  lastEventAt,
  updatedAt,
  stageSince,
  retrieving,
  announcing,
  ...subject
}: ListedSubject) => ({
  ...subject,
  stageSince: iso(stageSince),
  retrieving: retrieving && showTrouble(retrieving),
  announcing: announcing && showTrouble(announcing),
  lastEventAt: lastEventAt > 0 ? iso(lastEventAt) : null,
  updatedAt: iso(updatedAt),
});

/** A quarantined event with readable times. */
export const showQuarantinedEvent = ({ receivedAt, ...event }: QuarantinedEvent) => ({
  ...event,
  receivedAt: iso(receivedAt),
});

/** A reason with readable times. */
export const showQuarantineReason = ({ firstReceivedAt, lastReceivedAt, ...reason }: QuarantineReason) => ({
  ...reason,
  ...{ firstReceivedAt: iso(firstReceivedAt), lastReceivedAt: iso(lastReceivedAt) },
});

/** An announcement with readable times. */
export const showAnnouncement = ({ subject, ...row }: ListedAnnouncement) => ({
  ...{ id: row.id, subject: subjectKey(subject), revision: row.revision, state: row.state },
  ...{ attempts: row.attempts, lastStatus: row.lastStatus, lastError: row.lastError },
  ...{ createdAt: iso(row.createdAt), sentAt: isoOrNull(row.sentAt) },
  ...{ deadLetteredAt: isoOrNull(row.deadLetteredAt), deadLetterReason: row.deadLetterReason },
});

/** Bytes as text, in base64 where they are not UTF-8; null where they are not kept any more. */
export function showBody(body: Uint8Array): { readonly body: string | null; readonly encoding: 'utf-8' | 'base64' } {
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return { body: null, encoding: 'utf-8' };
  return isUtf8(bytes)
    ? { body: bytes.toString(), encoding: 'utf-8' }
    : { body: bytes.toString('base64'), encoding: 'base64' };
}
