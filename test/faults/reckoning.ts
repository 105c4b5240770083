import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { compareAnnouncements } from '../../src/sandbox/demonstration/expected.ts';
import type { Receiver } from '../../src/sandbox/receiver/receiver.ts';
import type { Received } from '../../src/sandbox/receiver/tally.ts';
import type { Simulator } from '../../src/sandbox/simulator/simulator.ts';
import type { SubjectTruth } from '../../src/sandbox/simulator/state/book.ts';

/** What came of the webhooks, by the records of the two sides that nothing happens to. */
export interface Figures {
  /** Events that the webhook answered 200. */
  readonly accepted: number;
  /** Events that it never did, however often they were sent. */
  readonly undelivered: number;
  /** Announcements that came, each id once. */
  readonly announced: number;
  /** Announcements that did not come although their event was accepted. */
  readonly missing: number;
  /** Announcements of what was announced already, under another id. */
  readonly duplicates: number;
  readonly outOfOrder: number;
  /** How often an id came again, with the same bytes. */
  readonly repeated: number;
}

/** Nothing has happened. */
export const noFigures: Figures = {
  accepted: 0,
  undelivered: 0,
  announced: 0,
  missing: 0,
  duplicates: 0,
  outOfOrder: 0,
  repeated: 0,
};

/** The two sides that survive everything: who knows what happened and who knows what came. */
export interface Sides {
  readonly simulator: Pick<Simulator, 'truth'>;
  readonly receiver: Pick<Receiver, 'received' | 'tally'>;
}

/** Compares what the warehouse was answered with what the receiver got. */
export function reckon({ simulator, receiver }: Sides): Figures {
  const fates = simulator.truth().flatMap(({ events }) => events.map(({ fate }) => fate));
  const { duplicates: repeated, outOfOrder } = receiver.tally();
  const { missing, duplicates } = findFlaws({ simulator, receiver });
  return {
    accepted: fates.filter((fate) => fate === 'delivered').length,
    undelivered: fates.filter((fate) => fate === 'undelivered').length,
    announced: receiver.received().length,
    missing: missing.length,
    duplicates: duplicates.length,
    ...{ outOfOrder, repeated },
  };
}

/** By name what did not come, and what came under two ids. */
export function findFlaws({ simulator, receiver }: Sides): {
  readonly missing: readonly string[];
  readonly duplicates: readonly string[];
} {
  const truth = simulator.truth();
  const received = receiver.received();
  const { missing, surplus } = compareAnnouncements(
    truth,
    received.map(({ id }) => id),
  );
  const twice = announcedTwice(received);
  return {
    missing: [...missing, ...missingStock(truth, received)],
    duplicates: twice.length > surplus.length ? twice : surplus,
  };
}

/** Changes of stock coalesce, but never the newest that was accepted. */
function missingStock(truth: readonly SubjectTruth[], received: readonly Received[]): string[] {
  const told = new Set(received.map(({ eventId }) => eventId));
  return truth
    .filter(({ kind }) => kind === 'stock')
    .flatMap((subject) => {
      const newest = subject.events.findLast(({ fate }) => fate === 'delivered');
      return newest && !told.has(newest.id) ? [`${subjectKey(subject)} ${newest.id}`] : [];
    });
}

function announcedTwice(received: readonly Received[]): string[] {
  const told = received.filter(({ eventId }) => eventId !== null).map(({ eventId, type }) => `${eventId} ${type}`);
  return told.filter((name, index) => told.indexOf(name) < index);
}

/** Adds figures of several faults. */
export function sumOf(all: readonly Figures[]): Figures {
  const names = Object.keys(noFigures) as (keyof Figures)[];
  const entries = names.map((name) => [name, all.reduce((sum, figures) => sum + figures[name], 0)]);
  return Object.fromEntries(entries);
}

/** Whether nothing is missing, doubled or out of order. */
export const isFlawless = ({ missing, duplicates, outOfOrder }: Figures): boolean =>
  missing + duplicates + outOfOrder === 0;
