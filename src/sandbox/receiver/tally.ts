/** What is kept of a received announcement. */
export interface Received {
  readonly id: string;
  /** The order: `orders/{id}`. Orders of two tenants differ in `source`. */
  readonly subject: string;
  readonly source: string;
  /** The revision. */
  readonly sequence: number;
  readonly type: string;
  /** ISO 8601. */
  readonly time: string;
  readonly late: boolean;
  readonly inferred: boolean;
  /** The event that told of the change; null where none did. */
  readonly eventId: string | null;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** How many announcements came, how often one came again, and how many did not come in their order's order. */
export interface Counts {
  /** Distinct ids. */
  readonly received: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
}

/** Counts announcements as they come. */
export interface Tally {
  add(received: Received): void;
  received(): readonly Received[];
  counts(): Counts;
}

interface Last {
  readonly sequence: number;
  readonly eventTime: number;
}

/**
 * A tally that takes an announcement for out of order if its revision does not follow on the one received before it, or if
 * its event is older than one received before and it does not say so.
 */
export function createTally(): Tally {
  const byId = new Map<string, Received>();
  const lastOf = new Map<string, Last>();
  let duplicates = 0;
  let outOfOrder = 0;

  return {
    add(received) {
      if (byId.has(received.id)) {
        duplicates += 1;
        return;
      }
      byId.set(received.id, received);
      const order = `${received.source} ${received.subject}`;
      const last = lastOf.get(order);
      if (last && !follows(received, last)) outOfOrder += 1;
      lastOf.set(order, lastAfter(received, last));
    },
    received: () => [...byId.values()],
    counts: () => ({ received: byId.size, duplicates, outOfOrder }),
  };
}

function follows(received: Received, last: Last): boolean {
  const isOld = received.eventId !== null && Date.parse(received.time) < last.eventTime;
  return received.sequence === last.sequence + 1 && (received.late || !isOld);
}

/** Only events have times of their own; a change that no event told carries the time at which it was known. */
function lastAfter({ sequence, eventId, time }: Received, last: Last | undefined): Last {
  const eventTime = last?.eventTime ?? Number.NEGATIVE_INFINITY;
  return { sequence, eventTime: eventId === null ? eventTime : Math.max(eventTime, Date.parse(time)) };
}
