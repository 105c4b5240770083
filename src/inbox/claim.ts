import type { SignaledEvent, WarehouseEvent } from '../domain/event.ts';
import { toSignaledEvent } from '../domain/signaled-event.ts';
import { parseSubjectKey, type SubjectRef } from '../domain/subject.ts';
import type { ClaimedRows } from './rows.ts';

/** What came of serving a subject: nothing waited for it, all that waited is dispatched, or more may wait than one call takes. */
export type Served = 'nothing' | 'all' | 'some';

/** Starts or signals a subject's workflow with everything that waited for it; returns once that is durable. */
export type Dispatch = (subject: SubjectRef, events: readonly SignaledEvent[]) => Promise<void>;

/** How many events one call takes. */
export const CLAIM_LIMIT = 200;

/**
 * Dispatches what waits for a subject, in the order of the inbox, and marks it after that. A row that is no event to follow,
 * which only another version can have written, is parked instead of holding back those behind it.
 */
export async function serveClaim(key: string, rows: ClaimedRows, dispatch: Dispatch): Promise<Served> {
  const waiting = await rows.waiting(CLAIM_LIMIT);
  const subject = parseSubjectKey(key);
  const read = waiting.map(({ id, event }) => ({ id, event: subject && readEvent(event) }));
  const unreadable = read.filter(({ event }) => !event).map(({ id }) => id);
  if (unreadable.length > 0) await rows.park(unreadable, 'not an event that this version follows');

  const readable = read.filter((row): row is { id: number; event: SignaledEvent } => row.event !== undefined);
  if (!subject || readable.length === 0) return 'nothing';
  await dispatch(
    subject,
    readable.map(({ event }) => event),
  );
  await rows.markDispatched(readable.map(({ id }) => id));
  return waiting.length === CLAIM_LIMIT ? 'some' : 'all';
}

function readEvent(json: string): SignaledEvent | undefined {
  try {
    return toSignaledEvent(JSON.parse(json) as WarehouseEvent);
  } catch {
    return undefined;
  }
}
