import type { Trouble } from '../../activities/ports/deps.ts';
import type { SubjectView } from '../../workflows/messages.ts';
import type { SubjectKind, SubjectRef } from '../domain/catalogue/subject.ts';
import type { Attention } from '../domain/lifecycle/attention.ts';
import type { Lifecycle } from '../domain/lifecycle/lifecycle.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';

/** Subject in a list; times are in milliseconds since the epoch. */
export interface ListedSubject extends SubjectRef {
  readonly stage: Stage;
  readonly stageSince: number;
  /** Reasons why the subject needs a person's attention. */
  readonly attention: readonly Attention[];
  /** Failure of its GETs, which are retried. */
  readonly retrieving: Trouble | null;
  /** Failure of its announcements, which are retried. */
  readonly announcing: Trouble | null;
  readonly refused: readonly string[];
  readonly revision: number;
  readonly referenceNumber: string | null;
  readonly customerId: string | null;
  readonly facilityId: string | null;
  readonly lastEventAt: number;
  readonly updatedAt: number;
}

/** Filter of subjects; an absent field matches every subject. */
export interface SubjectFilter {
  readonly tenant?: string;
  readonly kind?: SubjectKind;
  readonly id?: string;
  readonly stage?: Stage;
  readonly customer?: string;
  readonly attention?: Attention;
}

/** Read model of subjects, ordered by tenant, kind and id. */
export interface SubjectLists {
  list(
    filter: SubjectFilter,
    page: { readonly after?: SubjectRef; readonly limit: number },
  ): Promise<readonly ListedSubject[]>;
  find(subject: SubjectRef): Promise<(ListedSubject & { readonly lifecycle: Lifecycle }) | undefined>;
}

/** Numbers of rows that name people, of one subject. */
export interface ErasureCounts {
  /** Deliveries whose bodies or events are stored. */
  readonly deliveries: number;
  readonly resources: number;
  readonly announcements: number;
}

/** Data of a subject that can be erased, with whatever stands against it. */
export interface Erasable extends ErasureCounts {
  /** Events that are not recorded yet. */
  readonly waiting: number;
  /** Announcements that the destination has not acknowledged, dead-lettered ones included. */
  readonly unsent: number;
}

/** An erasure that was made. */
export interface Erasure extends ErasureCounts {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
}

/** Erasure of what is stored of a subject. Its dedupe keys and its lifecycle stay, without reference numbers and names. */
export interface Erasures {
  preview(subject: SubjectRef): Promise<Erasable>;
  /** Erases nothing while events wait, or while announcements are unsent and `unsent` is false; returns what it found. */
  erase(
    subject: SubjectRef,
    options: { readonly by: string; readonly unsent: boolean },
  ): Promise<Erasable & { readonly isErased: boolean }>;
  /** Returns the erasures of a subject, oldest first. */
  of(subject: SubjectRef): Promise<readonly Erasure[]>;
}

/** Operation that fails for subjects of a tenant, with the newest failure. */
export interface FailingActivity extends Omit<Trouble, 'attempts'> {
  readonly tenant: string;
  readonly subjects: number;
}

/** Counts over the whole store. */
export interface StoredCounts {
  readonly quarantinedEvents: number;
  readonly announcements: { readonly unsent: number; readonly deadLettered: number };
  readonly subjects: readonly { readonly kind: SubjectKind; readonly stage: Stage; readonly count: number }[];
  readonly attention: { readonly [A in Attention]: number };
  /** Operations that fail and are retried, those of the most subjects first. */
  readonly failing: readonly FailingActivity[];
  /** Events that wait, and the time at which the oldest of them was received, in milliseconds since the epoch; null if none waits. */
  readonly waiting: { readonly count: number; readonly oldest: number | null };
}

/** Subject as its workflow sees it; the lines of the timeline are Markdown, oldest first. */
export interface LiveSubject extends SubjectView {
  readonly timeline: readonly string[];
}

/** Copy of the store. */
export interface Backup {
  /** Path on the machine of Dockline. */
  readonly file: string;
  readonly bytes: number;
}

/** Control of the workflows of subjects; rejects with the client's error if Temporal does not answer. */
export interface SubjectControl {
  /** Returns the subject as its workflow sees it; undefined if Temporal has no workflow of it. */
  look(subject: SubjectRef): Promise<LiveSubject | undefined>;
  /** Fetches the subject now, in a new run if the last one has completed; undefined if that takes too long. */
  refresh(subject: SubjectRef): Promise<SubjectView | undefined>;
  /** Clears its marks for attention on behalf of somebody; undefined if it has no running workflow. */
  release(subject: SubjectRef, by: string): Promise<SubjectView | undefined>;
}
