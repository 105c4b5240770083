import { z } from 'zod';
import { contentOf, dataSchema } from './content.ts';

/** Schema of the parts of an announcement that the receiver keeps. */
export const receivedSchema = z
  .object({
    id: z.string(),
    /** Tenant: `/dockline/{tenant}`. */
    source: z.string(),
    /** Subject within the tenant: `orders/{id}`. */
    subject: z.string(),
    type: z.string(),
    time: z.iso.datetime(),
    /** Revision of the subject. */
    sequence: z.coerce.number().int().positive(),
    data: dataSchema,
  })
  .transform(({ data, ...attributes }) => ({
    ...attributes,
    previous: data.previous,
    late: data.late,
    inferred: data.inferred,
    /** Event that reported the change; null if none did. */
    eventId: data.event?.id ?? null,
    content: contentOf(data),
    /** Milliseconds since the epoch: when it was accepted, and when it was first tried. */
    receivedAt: Date.now(),
    triedAt: Date.now(),
  }));

/** Received announcement. */
export type Received = Readonly<z.output<typeof receivedSchema>>;

interface Last {
  readonly sequence: number;
  readonly eventTime: number;
}

/**
 * Creates a tally. An announcement is out of order if the one before it is not the last one of its subject, or if its
 * event is older than an earlier one's and it is not marked as late.
 */
export function createTally() {
  const byId = new Map<string, Received>();
  const lastOf = new Map<string, Last>();
  let duplicates = 0;
  let outOfOrder = 0;
  return {
    add(received: Received) {
      if (byId.has(received.id)) {
        duplicates += 1;
        return;
      }
      byId.set(received.id, received);
      const subject = `${received.source} ${received.subject}`;
      const last = lastOf.get(subject);
      if (last && !follows(received, last)) outOfOrder += 1;
      lastOf.set(subject, lastAfter(received, last));
    },
    received: (): readonly Received[] => [...byId.values()],
    /** Counts distinct ids as received. */
    counts: () => ({ received: byId.size, duplicates, outOfOrder }),
  };
}

function follows(received: Received, last: Last): boolean {
  const isOld = received.eventId !== null && Date.parse(received.time) < last.eventTime;
  return received.previous === last.sequence && (received.late || !isOld);
}

/** Only events have times of their own; any other change has the time at which Dockline noticed it. */
function lastAfter({ sequence, eventId, time }: Received, last: Last | undefined): Last {
  const eventTime = last?.eventTime ?? Number.NEGATIVE_INFINITY;
  return { sequence, eventTime: eventId === null ? eventTime : Math.max(eventTime, Date.parse(time)) };
}
