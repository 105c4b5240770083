import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Stage } from '../src/domain/lifecycle/stage.ts';
import type { Retrieved } from './retrieval.ts';

/** Request to record a subject. */
export interface RecordInput {
  readonly subject: SubjectRef;
  /** Revision that the workflow knows; null for a run that has not read the store. */
  readonly known: number | null;
  readonly eventIds: readonly string[];
  /** Absent if nothing was to be fetched. */
  readonly retrieved?: Retrieved | undefined;
  /** Traces of the events, unless they were retrieved. */
  readonly traces?: readonly string[] | undefined;
  /** Stage whose limit has passed: a subject that is still in it has stalled. */
  readonly overdue?: { readonly stage: Stage; readonly since: number };
  /** Ends the reasons for attention, on an operator's request. */
  readonly release?: boolean;
  /** Brings the reasons for attention back that a release has ended, likewise. */
  readonly undoRelease?: boolean;
  /** Name of that operator, or of the way by which the request came. */
  readonly releasedBy?: string;
}
