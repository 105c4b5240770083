import type { ResourceKind, ResourceSource } from '../../domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Deadline } from '../../domain/deadlines/deadline.ts';
import type { Change, Lifecycle } from '../../domain/lifecycle/lifecycle.ts';

/** Record that an announcement is about, as JSON text. */
export interface OwnRecord {
  readonly body: string;
  readonly from: ResourceSource;
}

/** Records that an announcement embeds, as JSON text. */
export interface Embedded {
  readonly resources: { readonly [K in ResourceKind]?: string };
  /** Source of the record that it is about; null if there is none. */
  readonly resourceFrom: ResourceSource | null;
  /** Records that belong to it and could not be had. */
  readonly missing: readonly ResourceKind[];
}

/** Change to announce, with the records to embed. */
export interface AnnouncementInput extends Embedded {
  readonly subject: SubjectRef;
  readonly change: Change;
  readonly lifecycle: Lifecycle;
  /** Time by which the subject is to be done; undefined if no rule matches. */
  readonly deadline?: Deadline | undefined;
  /** Trace of the recording, as a W3C `traceparent`; absent without traces. */
  readonly trace?: string | undefined;
}
