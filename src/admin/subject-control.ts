import type { SubjectView } from '../../workflows/messages.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';

/** Subject as its workflow sees it; the lines of the timeline are Markdown, oldest first. */
export interface LiveSubject extends SubjectView {
  readonly timeline: readonly string[];
}

/** Control of the workflows of subjects; rejects with the client's error if Temporal does not answer. */
export interface SubjectControl {
  /** Returns the subject as its workflow sees it; undefined if Temporal has no workflow of it. */
  look(subject: SubjectRef): Promise<LiveSubject | undefined>;
  /** Fetches the subject now, in a new run if the last one has completed; undefined if that takes too long. */
  refresh(subject: SubjectRef): Promise<SubjectView | undefined>;
  /** Clears its marks for attention on behalf of somebody; undefined if it has no running workflow. */
  release(subject: SubjectRef, by: string): Promise<SubjectView | undefined>;
  /** Brings the marks back that were cleared and have not ended since, likewise. */
  undoRelease(subject: SubjectRef, by: string): Promise<SubjectView | undefined>;
}
