import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing, SubjectView } from '../src/domain/lifecycle/standing.ts';
import type { OutgoingIds } from '../src/domain/outgoing.ts';
import type { SearchAttributeChoice, SearchAttributeName } from '../src/domain/search-attributes.ts';

/** Every wake carries the current ones. */
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
  readonly searchAttributes?: SearchAttributeChoice | readonly SearchAttributeName[];
  /** `LastEventTime` is written together with another attribute only; with every event if absent, as in runs that began with an earlier version. */
  readonly eventTimeWithOthers?: true;
  /** Task queue of the tenant's retrievals, rate-limited. */
  readonly warehouseTaskQueue: string;
  /** Task queue of announcements to the tenant's destinations. */
  readonly announceTaskQueue: string;
}

/** `carried` is set when it continues as new. */
export interface SubjectInput {
  readonly subject: SubjectRef;
  readonly settings: Settings;
  readonly carried?: Carried;
}

export interface Carried {
  readonly standing: Standing | null;
  readonly isAwake: boolean;
  readonly isRefreshing: boolean;
  readonly outbox: OutgoingIds;
  readonly refused: OutgoingIds;
  readonly timeline: readonly string[];
}

/**
 * Wakes the workflow because events wait in the inbox. Carries their names, for people who read the history, the current settings, and
 * whether every one of them carries its record.
 * Malformed arguments are ignored, but still wake.
 */
export const events = defineSignal<[names: readonly string[], settings: Settings, isCarried?: boolean]>('events');

export const lifecycle = defineQuery<SubjectView>('lifecycle');

/** As the database last recorded it; null before it has been read. */
export const standing = defineQuery<Standing | null>('standing');

export interface Awaited {
  /** The one that holds; null if the wait has ended without: the subject is over, or asks to be asked again. */
  readonly reached: string | null;
  /** Nothing more is expected. If that is false and nothing was reached, the run has continued as new: ask again. */
  readonly isOver: boolean;
  readonly view: SubjectView;
}

/** Waits until one of several milestones holds, or until nothing more is expected. */
export const until = defineUpdate<Awaited, [first: string, ...others: string[]]>('until');

export const timeline = defineQuery<readonly string[]>('timeline');

export const refresh = defineUpdate<SubjectView>('refresh');

/** Clears the subject's attention marks. Carries the name of the operator for the timeline. */
export const release = defineUpdate<SubjectView, [by?: string]>('release');

/** Brings the marks for attention back that were cleared and have not ended since, on behalf of somebody; returns the view after it. */
export const undoRelease = defineUpdate<SubjectView, [by?: string]>('undoRelease');
