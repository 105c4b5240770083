import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing } from '../src/domain/lifecycle/standing.ts';
import type { OutgoingIds } from '../src/domain/outgoing.ts';
import type { SearchAttributeChoice } from '../src/domain/search-attributes.ts';

/** Settings of a workflow. Every wake carries the current ones. */
export interface Settings {
  /** Time that a closed, canceled or deleted subject stays open for late events, in milliseconds. */
  readonly gracePeriodMs: number;
  /**
   * Longest time in a stage before the subject is announced as stalled, in milliseconds, by stage (`picked`) or by customer and
   * stage (`418:picked`), which takes precedence; no limit if absent.
   */
  readonly stageLimitsMs: { readonly [stage: string]: number };
  /** Number of signals after which a run continues as new. Temporal's own limit is 10,000. */
  readonly signalsPerRun: number;
  /** Allows one inline attempt to retrieve and announce before regular activities do. */
  readonly inline: boolean;
  /** Search attributes that are kept up to date; all if absent, as in runs that began with an earlier version. */
  readonly searchAttributes?: SearchAttributeChoice;
  /** `LastEventTime` is written together with another attribute only; with every event if absent, as in runs that began with an earlier version. */
  readonly eventTimeWithOthers?: true;
  /** Task queue of the tenant's retrievals, rate-limited. */
  readonly warehouseTaskQueue: string;
  /** Task queue of announcements to the tenant's destinations. */
  readonly announceTaskQueue: string;
}

/** Input of a subject's workflow; `carried` is set when it continues as new. */
export interface SubjectInput {
  readonly subject: SubjectRef;
  readonly settings: Settings;
  readonly carried?: Carried;
}

/** State carried from one run to the next. */
export interface Carried {
  readonly standing: Standing | null;
  /** True when events may wait in the inbox. */
  readonly isAwake: boolean;
  readonly isRefreshing: boolean;
  readonly outbox: OutgoingIds;
  /** Ids of announcements that a destination rejects while it accepts others. */
  readonly refused: OutgoingIds;
  readonly timeline: readonly string[];
}

/** View of a subject for operators. */
export interface SubjectView extends Pick<Standing, 'stage' | 'stageSince' | 'attention' | 'progress'> {
  readonly lifecycle: Pick<Standing, 'revision' | 'lastEventTime' | 'snapshot'>;
  /** Number of events not yet recorded, and of announcements not yet acknowledged. */
  readonly waiting: { readonly events: number; readonly announcements: number };
}

/**
 * Wakes the workflow because events wait in the inbox. Carries their names, for people who read the history, and the current settings.
 * Malformed arguments are ignored, but still wake.
 */
export const events = defineSignal<[names: readonly string[], settings: Settings]>('events');

/** Returns the current view of the subject. */
export const lifecycle = defineQuery<SubjectView>('lifecycle');

/** Returns where the subject stands, as the database last recorded it; null before it has been read. */
export const standing = defineQuery<Standing | null>('standing');

/** Result of waiting for milestones. */
export interface Awaited {
  /** The one that holds; null if the wait has ended without: the subject is over, or asks to be asked again. */
  readonly reached: string | null;
  /** Nothing more is expected. If that is false and nothing was reached, the run has continued as new: ask again. */
  readonly isOver: boolean;
  readonly view: SubjectView;
}

/** Waits until one of several milestones holds, or until nothing more is expected. */
export const until = defineUpdate<Awaited, [first: string, ...others: string[]]>('until');

/** Returns the subject's recent history as lines of Markdown, oldest first. */
export const timeline = defineQuery<readonly string[]>('timeline');

/** Fetches the subject now and records what it shows. */
export const refresh = defineUpdate<SubjectView>('refresh');

/** Clears the subject's attention marks. Carries the name of the operator for the timeline. */
export const release = defineUpdate<SubjectView, [by?: string]>('release');

/** Brings the marks for attention back that were cleared and have not ended since, on behalf of somebody; returns the view after it. */
export const undoRelease = defineUpdate<SubjectView, [by?: string]>('undoRelease');
