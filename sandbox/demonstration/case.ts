import type { Receiver } from '../receiver/receiver.ts';
import type { Received } from '../receiver/tally.ts';
import type { Simulator } from '../simulator/simulator.ts';
import type { Dated, SubjectTruth } from '../simulator/state/book.ts';

/** Parts of the simulator and the receiver that know what is true. */
export interface Witnesses {
  readonly simulator: Pick<
    Simulator,
    'truth' | 'history' | 'isWithheld' | 'wasFailing' | 'faults' | 'manners' | 'counts'
  >;
  readonly receiver: Pick<Receiver, 'received' | 'isTooLarge'>;
}

/** Announcement with what the simulator's book had about its subject when it was received. */
export interface Case {
  readonly received: Received;
  readonly subject: SubjectTruth;
  /** Event that the announcement names, as the book has it. */
  readonly event: SubjectTruth['events'][number] | undefined;
  /** States up to then, oldest first. */
  readonly states: readonly Dated[];
  /** Milestones of the events up to then. */
  readonly happened: ReadonlySet<string>;
}

/** Opens the case of an announcement. */
export function openCase(received: Received, subject: SubjectTruth, simulator: Witnesses['simulator']): Case {
  const states = simulator.history(subject.id).filter(({ since }) => since <= received.receivedAt);
  // Each event led to one state more.
  const events = subject.events.slice(0, states.length - 1);
  const event = events.find((one) => isOf(received.content.event, one));
  return { received, subject, event, states, happened: new Set(events.map(({ milestone }) => milestone)) };
}

/** A message about several rows makes an event of each, whose id begins with its own. */
function isOf(named: Received['content']['event'], event: SubjectTruth['events'][number]): boolean {
  if (!named || Date.parse(named.time) !== event.time || named.name !== event.name) return false;
  return event.isUnnamed === true || named.id === event.id || named.id.startsWith(`${event.id}/`);
}
