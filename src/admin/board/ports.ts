import type { SubjectKind, SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Attention } from '../../domain/lifecycle/attention.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import type { FailingActivity, ListedSubject } from '../ports.ts';

/** Count up to a limit, beyond which nothing is counted. */
export interface BoundedCount {
  readonly count: number;
  /** There are more. */
  readonly isMore: boolean;
}

/** Orders in a stage. */
export interface StageCount extends BoundedCount {
  readonly stage: Stage;
  /** Orders that ended are counted for a day only. */
  readonly isLast: boolean;
  /** Time at which the subject that has been in the stage for longest entered it, in milliseconds since the epoch; null if there is none. */
  readonly oldestSince: number | null;
}

/** Subjects that need a person for equal reasons. */
export interface AttentionGroup extends BoundedCount {
  /** Name of the group, which {@link Choice} takes. */
  readonly group: string;
  /** The one that has been in its stage for longest. */
  readonly example: ListedSubject;
}

/** Content of the first page; times are in milliseconds since the epoch. */
export interface Overview {
  readonly stages: readonly StageCount[];
  /** Subjects of the other kinds that are not closed, canceled or deleted. */
  readonly others: readonly (BoundedCount & { readonly kind: SubjectKind })[];
  /** Subjects that need a person, by equal reasons, the most urgent first. */
  readonly attention: BoundedCount & { readonly groups: readonly AttentionGroup[] };
  readonly quarantined: BoundedCount & { readonly since: number | null };
  readonly deadLettered: BoundedCount & { readonly since: number | null };
  readonly unsent: BoundedCount & { readonly since: number | null };
  readonly waiting: BoundedCount & { readonly since: number | null };
  /** Announcements made, by the beginning of each slice of time, oldest first. */
  readonly flow: readonly { readonly at: number; readonly count: number }[];
  readonly tenants: readonly TenantPulse[];
}

/** Time of the newest delivery of a tenant. */
export interface TenantPulse {
  readonly tenant: string;
  readonly lastReceivedAt: number;
}

/** Choice of subjects: open ones, those in a stage, or those that need attention, which alone may be of any kind. */
export interface Choice {
  readonly kind?: SubjectKind;
  readonly stage?: Stage;
  readonly attention?: Attention | 'any';
  /** Name of an {@link AttentionGroup}. */
  readonly group?: string;
  readonly customer?: string;
  readonly tenant?: string;
}

/** Order of a list: the longest in their stage first, the newest first, or by tenant and id. */
export type Sorting = 'oldest' | 'newest' | 'id';

/** Place in a list by time. */
export type SubjectPlace = SubjectRef & { readonly stageSince: number };

/** Delivery of a webhook, without its body. */
export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  readonly subject: SubjectRef | undefined;
  /** Name of the event; null if the delivery was quarantined or the event was purged. */
  readonly event: string | null;
  /** Time of the event, in milliseconds since the epoch. */
  readonly happenedAt: number | null;
  readonly quarantineReason: string | null;
  readonly receivedAt: number;
  /** Time of its recording; null as long as it waits or is quarantined. */
  readonly observedAt: number | null;
  readonly bytes: number;
}

/** Lists of the board besides the lists of the administrative API. */
export interface BoardLists {
  /** Counts within limits, so that the answer takes milliseconds however much is stored. */
  overview(): Promise<Overview>;
  list(
    choice: Choice,
    page: { readonly sorting: Sorting; readonly after?: SubjectPlace; readonly limit: number },
  ): Promise<readonly ListedSubject[]>;
  /** Finds subjects by their whole id, reference number, customer or an event's id. */
  search(text: string, limit: number): Promise<readonly ListedSubject[]>;
  /** Returns the deliveries for a subject, the newest first. */
  deliveriesOf(subject: SubjectRef, limit: number): Promise<readonly Delivery[]>;
  /** Returns a delivery with its body as it was received, which is empty once it has been purged. */
  delivery(id: number): Promise<(Delivery & { readonly body: Uint8Array }) | undefined>;
  /** Returns the operations that fail and are retried, those of the most subjects first. */
  failing(): Promise<readonly FailingActivity[]>;
  /** Returns a text that changes whenever something was committed, which every list then shows. */
  cursor(): Promise<string>;
}
