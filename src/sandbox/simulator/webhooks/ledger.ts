import { type SubjectRef, subjectKinds } from '../../../domain/catalogue/subject.ts';
import type { Milestone } from '../../../domain/lifecycle/milestone.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import type { Stage } from '../../../domain/lifecycle/stage.ts';
import type { AnyLifeName } from '../scenarios/scenarios.ts';

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
  /** The line of an order that it is about. */
  readonly orderItemId?: string;
  readonly fate: Fate;
}

/** What truly happened to a subject, whatever anyone was told. */
export interface SubjectTruth extends SubjectRef {
  /** The life that was played; null for one that a caller led. */
  readonly life: AnyLifeName | null;
  readonly stage: Stage;
  /** What there is; only of stock. */
  readonly levels?: StockLevels;
  /** In the order in which they happened. */
  readonly events: readonly EventTruth[];
}

/** How a subject truly stands. */
export type Standing = Pick<SubjectTruth, 'stage' | 'levels'>;

/** The simulator's own record of what it did. */
export interface Ledger {
  open(page: Omit<Page, 'events'>): void;
  /** Records an event whose delivery has not been tried. */
  write(subjectId: string, event: Omit<EventTruth, 'fate'>): void;
  /** Records how a delivery ended; an event once delivered stays so. */
  settle(eventId: string, fate: Fate): void;
  /** Everything that happened, kind by kind and by number within each; ids are unique across kinds. */
  truth(standingOf: (subjectId: string) => Standing): readonly SubjectTruth[];
}

interface Page {
  readonly subject: SubjectRef;
  /** Its number within its kind. */
  readonly number: number;
  readonly life: AnyLifeName | null;
  readonly events: Omit<EventTruth, 'fate'>[];
}

/** Opens an empty ledger. */
export function createLedger(): Ledger {
  const pages = new Map<string, Page>();
  const fates = new Map<string, Fate>();
  return {
    open: (page) => pages.set(page.subject.id, { ...page, events: [] }),
    write: (subjectId, event) => {
      pages.get(subjectId)?.events.push(event);
      fates.set(event.id, 'dropped');
    },
    settle: (eventId, fate) => {
      if (fates.get(eventId) !== 'delivered') fates.set(eventId, fate);
    },
    truth: (standingOf) =>
      [...pages.values()]
        .sort((a, b) => rankOf(a) - rankOf(b) || a.number - b.number)
        .map(({ subject, life, events }) => ({
          ...subject,
          life,
          ...standingOf(subject.id),
          events: events.map((event) => ({ ...event, fate: fates.get(event.id) ?? 'dropped' })),
        })),
  };
}

const rankOf = ({ subject }: Page): number => subjectKinds.indexOf(subject.kind);
