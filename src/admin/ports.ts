import type { Trouble } from '../../activities/ports.ts';
import type { SubjectView } from '../../workflows/messages.ts';
import type { SubjectKind, SubjectRef } from '../domain/catalogue/subject.ts';
import type { Attention } from '../domain/lifecycle/attention.ts';
import type { Lifecycle } from '../domain/lifecycle/lifecycle.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';

/** A subject as a list shows it; times are milliseconds since the epoch. */
export interface ListedSubject extends SubjectRef {
  readonly stage: Stage;
  readonly stageSince: number;
  /** Every reason why a person should look at it. */
  readonly attention: readonly Attention[];
  /** Its GETs fail and are retried. */
  readonly retrieving: Trouble | null;
  /** Its announcements fail and are retried. */
  readonly announcing: Trouble | null;
  readonly refused: readonly string[];
  readonly revision: number;
  readonly referenceNumber: string | null;
  readonly customerId: string | null;
  readonly facilityId: string | null;
  readonly lastEventAt: number;
  readonly updatedAt: number;
}

/** Which subjects are asked for; what is absent does not matter. */
export interface SubjectFilter {
  readonly tenant?: string;
  readonly kind?: SubjectKind;
  readonly id?: string;
  readonly stage?: Stage;
  readonly customer?: string;
  readonly attention?: Attention;
}

/** The read model, by tenant, kind and id. */
export interface SubjectLists {
  list(
    filter: SubjectFilter,
    page: { readonly after?: SubjectRef; readonly limit: number },
  ): Promise<readonly ListedSubject[]>;
  find(subject: SubjectRef): Promise<(ListedSubject & { readonly lifecycle: Lifecycle }) | undefined>;
}

/** A delivery that was accepted but not understood; without its body, since that can name people. */
export interface QuarantinedEvent {
  readonly id: number;
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly bytes: number;
}

/** Quarantined events that have a reason in common. */
export interface QuarantineReason {
  readonly reason: string;
  readonly count: number;
  readonly firstId: number;
  /** Milliseconds since the epoch. */
  readonly firstReceivedAt: number;
  readonly lastReceivedAt: number;
}

/** Which quarantined events are asked for; `reason` is how their reason begins, `since` in milliseconds since the epoch. */
export interface QuarantinedEventFilter {
  readonly id?: number;
  readonly reason?: string;
  readonly tenant?: string;
  readonly since?: number;
}

/** The quarantined events, oldest first. */
export interface QuarantinedEventLists {
  list(
    filter: QuarantinedEventFilter,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly QuarantinedEvent[]>;
  /** At most 500 reasons, the most frequent first. */
  summarize(filter: QuarantinedEventFilter): Promise<readonly QuarantineReason[]>;
  find(id: number): Promise<(QuarantinedEvent & { readonly body: Uint8Array }) | undefined>;
}

/** Whether an announcement still is to be sent, was given up, or was acknowledged. */
export type AnnouncementState = 'unsent' | 'dead-lettered' | 'sent';

/** An announcement as a list shows it, without its body; times are milliseconds since the epoch. */
export interface ListedAnnouncement {
  readonly id: string;
  readonly subject: SubjectRef;
  readonly revision: number;
  readonly state: AnnouncementState;
  readonly createdAt: number;
  /** How often it was sent, and the last answer: its status, and what was wrong with it. */
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly sentAt: number | null;
  readonly deadLetteredAt: number | null;
  readonly deadLetterReason: string | null;
}

/** Which announcements are asked for: `since` is when they were dead-lettered, where only those are asked for, or else made. */
export interface AnnouncementFilter {
  readonly state?: AnnouncementState;
  readonly since?: number;
}

/** A place in a list by time; `at` is what `since` compares with. */
export interface AnnouncementPlace {
  readonly at: number;
  readonly id: string;
}

/** The announcements. */
export interface AnnouncementLists {
  /** Oldest first. */
  list(
    filter: AnnouncementFilter,
    page: { readonly after?: AnnouncementPlace; readonly limit: number },
  ): Promise<readonly ListedAnnouncement[]>;
  /** Those of one subject, the newest first. */
  ofSubject(subject: SubjectRef, limit: number): Promise<readonly ListedAnnouncement[]>;
  /** With its bytes; none where they are not kept any more. */
  find(id: string): Promise<(ListedAnnouncement & { readonly body: Uint8Array }) | undefined>;
  /** Those that were dead-lettered since a time, by subject and then in their order. */
  deadLetteredSince(
    since: number,
    page: { readonly after?: SubjectRef & { readonly revision: number }; readonly limit: number },
  ): Promise<readonly ListedAnnouncement[]>;
  /** Lets announcements of one subject be sent again that were given up. */
  requeue(ids: readonly string[]): Promise<void>;
}

/** Activities of one kind that fail for several subjects of a tenant, with the newest failure. */
export interface FailingActivity extends Omit<Trouble, 'attempts'> {
  readonly tenant: string;
  readonly subjects: number;
}

/** What is counted over all that is stored. */
export interface StoredCounts {
  readonly quarantinedEvents: number;
  readonly announcements: { readonly unsent: number; readonly deadLettered: number };
  readonly subjects: readonly { readonly kind: SubjectKind; readonly stage: Stage; readonly count: number }[];
  readonly attention: { readonly [A in Attention]: number };
  /** The activities that fail and are retried, those of the most subjects first. */
  readonly failing: readonly FailingActivity[];
  /** When the oldest event that waits was received, in milliseconds since the epoch; null where none waits. */
  readonly oldestWaiting: number | null;
}

/** A subject as its workflow knows it; the lines of the timeline are Markdown, oldest first. */
export interface LiveSubject extends SubjectView {
  readonly timeline: readonly string[];
}

/** The workflows of subjects; a failure to reach Temporal is the client's own error. */
export interface SubjectControl {
  /** Undefined where Temporal has no workflow of it. */
  look(subject: SubjectRef): Promise<LiveSubject | undefined>;
  /** Has it fetched now, by a new run where the last one has completed; undefined if that takes longer than anyone waits. */
  refresh(subject: SubjectRef): Promise<SubjectView | undefined>;
  /** Ends its mark for attention; undefined where no workflow of it runs. */
  release(subject: SubjectRef): Promise<SubjectView | undefined>;
  /** Wakes its workflow, or a new run where the last one has completed. */
  wake(subject: SubjectRef): Promise<void>;
}
