import type { Milestone } from '../domain/milestone.ts';
import type { Stage } from '../domain/stage.ts';
import type { SubjectRef } from '../domain/subject.ts';
import type { AnyLifeName } from './lives.ts';

/** What became of the deliveries of an event: accepted, never sent, or sent in vain (so far). */
export type Fate = 'delivered' | 'dropped' | 'undelivered';

/** An event that truly happened. */
export interface EventTruth {
  /** `tplId:wmsEventId`. */
  readonly id: string;
  readonly name: string;
  readonly milestone: Milestone;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly fate: Fate;
}

/** What truly happened to a subject, whatever anyone was told. */
export interface SubjectTruth extends SubjectRef {
  /** The life that was played; null for one that a caller led. */
  readonly life: AnyLifeName | null;
  readonly stage: Stage;
  /** In the order in which they happened. */
  readonly events: readonly EventTruth[];
}

/** The simulator's own record of what it did. */
export interface Ledger {
  open(subject: SubjectRef, life: AnyLifeName | null): void;
  /** Records an event whose delivery has not been tried. */
  write(subjectId: string, event: Omit<EventTruth, 'fate'>): void;
  /** Records how a delivery ended; an event once delivered stays so. */
  settle(eventId: string, fate: Fate): void;
  /** Everything that happened, by the subjects' ids, which are unique across kinds. */
  truth(stageOf: (subjectId: string) => Stage): readonly SubjectTruth[];
}

interface Page {
  readonly subject: SubjectRef;
  readonly life: AnyLifeName | null;
  readonly events: Omit<EventTruth, 'fate'>[];
}

/** Opens an empty ledger. */
export function createLedger(): Ledger {
  const pages = new Map<string, Page>();
  const fates = new Map<string, Fate>();
  return {
    open: (subject, life) => pages.set(subject.id, { subject, life, events: [] }),
    write: (subjectId, event) => {
      pages.get(subjectId)?.events.push(event);
      fates.set(event.id, 'dropped');
    },
    settle: (eventId, fate) => {
      if (fates.get(eventId) !== 'delivered') fates.set(eventId, fate);
    },
    truth: (stageOf) =>
      [...pages.values()]
        .sort((a, b) => Number(a.subject.id) - Number(b.subject.id))
        .map(({ subject, life, events }) => ({
          ...subject,
          life,
          stage: stageOf(subject.id),
          events: events.map((event) => ({ ...event, fate: fates.get(event.id) ?? 'dropped' })),
        })),
  };
}
