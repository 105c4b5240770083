import { setTimeout as pause } from 'node:timers/promises';
import { compareAnnouncements } from '../../sandbox/demonstration/expected.ts';
import type { Receiver } from '../../sandbox/receiver/receiver.ts';
import type { Received } from '../../sandbox/receiver/tally.ts';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import type { SubjectTruth } from '../../sandbox/simulator/state/book.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { type Milestone, milestones } from '../../src/domain/lifecycle/milestone.ts';

/** Result of a fault by the records of the simulator and the receiver, which no fault touches. */
export interface Figures {
  /** Events whose webhook was answered 200. */
  readonly accepted: number;
  /** Events whose webhook never was, after all attempts. */
  readonly undelivered: number;
  /** Distinct ids of the announcements received. */
  readonly announced: number;
  /** Announcements that were not received although their event was accepted. */
  readonly missing: number;
  /** Announcements repeated under another id. */
  readonly duplicates: number;
  readonly outOfOrder: number;
  /** Announcements repeated under the same id with the same bytes. */
  readonly repeated: number;
}

/** Figures of nothing. */
export const noFigures: Figures = {
  accepted: 0,
  undelivered: 0,
  announced: 0,
  missing: 0,
  duplicates: 0,
  outOfOrder: 0,
  repeated: 0,
};

/** Records to compare. */
export interface Records {
  readonly simulator: Pick<Simulator, 'truth'>;
  readonly receiver: Pick<Receiver, 'received' | 'tally'>;
}

/** Compares the webhooks accepted with the announcements received. */
export function verify(records: Records): Figures {
  const { simulator, receiver } = records;
  const fates = simulator.truth().flatMap(({ events }) => events.map(({ fate }) => fate));
  const { duplicates: repeated, outOfOrder } = receiver.tally();
  const { missing, duplicates } = findFlaws(records);
  return {
    accepted: fates.filter((fate) => fate === 'delivered').length,
    undelivered: fates.filter((fate) => fate === 'undelivered').length,
    announced: receiver.received().length,
    missing: missing.length,
    duplicates: duplicates.length,
    outOfOrder,
    repeated,
  };
}

/** Names the announcements that are missing, and those received under two ids. */
export function findFlaws({ simulator, receiver }: Records): {
  readonly missing: readonly string[];
  readonly duplicates: readonly string[];
} {
  const truth = simulator.truth();
  const received = receiver.received();
  const compare = (some: readonly Received[]) =>
    compareAnnouncements(
      truth,
      some.map(({ id }) => id),
    );
  const { missing } = compare(received);
  const { surplus } = compare(received.filter((one) => !isTakenBack(one, received)));
  const twice = announcedTwice(received);
  return {
    missing: [...missing, ...missingStock(truth, received)],
    duplicates: twice.length > surplus.length ? twice : surplus,
  };
}

/**
 * Reports whether a GET showed a milestone that an older event, which arrived later, took back. As long as reads may lag, nobody knows
 * that the event was overtaken, so the milestone is announced again: picked, excluded from its pick job, picked.
 */
function isTakenBack({ inferred, subject, sequence, id }: Received, received: readonly Received[]): boolean {
  const milestone = milestoneOf(id);
  return (
    inferred &&
    received.some((other) => {
      const turn = milestoneOf(other.id);
      const turns = turn !== milestone && milestones[turn].register === milestones[milestone].register;
      return turns && other.subject === subject && other.sequence > sequence && !other.inferred;
    })
  );
}

const milestoneOf = (id: string) => id.slice(id.lastIndexOf('/') + 1) as Milestone;

/** Changes of stock coalesce, but never the newest accepted one. */
function missingStock(truth: readonly SubjectTruth[], received: readonly Received[]): string[] {
  const announced = new Set(received.map(({ eventId }) => eventId));
  return truth
    .filter(({ kind }) => kind === 'stock')
    .flatMap((subject) => {
      const newest = subject.events.findLast(({ fate }) => fate === 'delivered');
      return newest && !announced.has(newest.id) ? [`${subjectKey(subject)} ${newest.id}`] : [];
    });
}

function announcedTwice(received: readonly Received[]): string[] {
  const names = received.filter(({ eventId }) => eventId !== null).map(({ eventId, type }) => `${eventId} ${type}`);
  return names.filter((name, index) => names.indexOf(name) < index);
}

/** Adds up the figures of several faults. */
export function sumFigures(all: readonly Figures[]): Figures {
  const names = Object.keys(noFigures) as (keyof Figures)[];
  const entries = names.map((name) => [name, all.reduce((sum, figures) => sum + figures[name], 0)]);
  return Object.fromEntries(entries);
}

/** Reports whether nothing is missing, doubled or out of order. */
export const isFlawless = ({ missing, duplicates, outOfOrder }: Figures): boolean =>
  missing + duplicates + outOfOrder === 0;

const POLL_MS = 250;
/** Period of the messages about what is still missing. */
const REPORT_EVERY_MS = 20_000;

/** Waits until nothing is missing and nothing has changed for `quietMs`, or until nothing has changed for `patienceMs`. */
export async function settle({
  records,
  quietMs,
  patienceMs,
  say,
  signal,
}: {
  readonly records: Records;
  readonly quietMs: number;
  readonly patienceMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}): Promise<Figures> {
  let last = '';
  let changedAt = Date.now();
  let reportedAt = Date.now();
  for (;;) {
    const figures = verify(records);
    const state = JSON.stringify(figures);
    if (state !== last) changedAt = Date.now();
    last = state;
    const stillMs = Date.now() - changedAt;
    if (stillMs >= (figures.missing === 0 ? quietMs : patienceMs)) return figures;
    if (figures.missing > 0 && Date.now() - Math.max(changedAt, reportedAt) > REPORT_EVERY_MS) {
      reportedAt = Date.now();
      const missing = findFlaws(records).missing.join(', ');
      say(`nothing has changed for ${Math.round(stillMs / 1000)} s; still missing: ${missing}`);
    }
    await pause(POLL_MS, undefined, { signal });
  }
}
