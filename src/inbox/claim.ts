import type { SignaledEvent, WarehouseEvent } from '../domain/event.ts';
import { toSignaledEvent } from '../domain/signaled-event.ts';
import { parseSubjectKey, type SubjectRef } from '../domain/subject.ts';
import type { InboxRows } from './rows.ts';

/** Rows of one subject that travel together. */
export interface Claim {
  readonly subject: SubjectRef;
  readonly ids: readonly number[];
  readonly events: readonly SignaledEvent[];
  /** There may be more rows than one call takes. */
  readonly full: boolean;
}

/** How many events one call takes. */
export const CLAIM_LIMIT = 200;

/**
 * Reads what waits for a subject, in the order of the inbox; undefined if nothing does. A row that is no event to follow,
 * which only another version can have written, is parked instead of holding back those behind it.
 */
export async function claim(rows: InboxRows, key: string): Promise<Claim | undefined> {
  const waiting = await rows.ofSubject(key, CLAIM_LIMIT);
  const subject = parseSubjectKey(key);
  const read = waiting.map(({ id, event }) => ({ id, event: subject && readEvent(event) }));
  const unreadable = read.filter(({ event }) => !event).map(({ id }) => id);
  if (unreadable.length > 0) await rows.park(unreadable, 'not an event that this version follows');

  const readable = read.filter((row): row is { id: number; event: SignaledEvent } => row.event !== undefined);
  if (!subject || readable.length === 0) return undefined;
  return {
    subject,
    ids: readable.map(({ id }) => id),
    events: readable.map(({ event }) => event),
    full: waiting.length === CLAIM_LIMIT,
  };
}

function readEvent(json: string): SignaledEvent | undefined {
  try {
    return toSignaledEvent(JSON.parse(json) as WarehouseEvent);
  } catch {
    return undefined;
  }
}
