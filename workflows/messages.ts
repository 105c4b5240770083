import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Attention } from '../src/domain/lifecycle/attention.ts';
import type { Progress } from '../src/domain/lifecycle/progress.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import type { Stage } from '../src/domain/lifecycle/stage.ts';
import type { Standing } from '../src/domain/lifecycle/standing.ts';

/** The durations and limits that a workflow goes by. Each wake brings those of today. */
export interface Settings {
  /** How long what is closed, canceled or deleted stays open for late events, in milliseconds. */
  readonly gracePeriodMs: number;
  /**
   * How long it may stay in a stage before it is announced as stalled, in milliseconds, by stage (`picked`) or by customer and
   * stage (`418:picked`), which goes first; absent means for ever.
   */
  readonly stageLimitsMs: { readonly [stage: string]: number };
  /** How many signals one run takes before it continues as new. Temporal's own limit is 10,000. */
  readonly signalsPerRun: number;
  /** Whether retrieving and announcing are tried within the workflow's own task before they become regular activities. */
  readonly inline: boolean;
  /** Where the warehouse's GETs are taken up, at the rate that it allows. */
  readonly warehouseTaskQueue: string;
  /** Where announcements to the tenant's destination are taken up. */
  readonly announceTaskQueue: string;
}

/** What a workflow starts with; the rest is there only where it continues as new. */
export interface SubjectInput {
  readonly subject: SubjectRef;
  readonly settings: Settings;
  readonly carried?: Carried;
}

/** What one run hands to the next. */
export interface Carried {
  readonly standing: Standing | null;
  /** Something may wait in the inbox. */
  readonly isAwake: boolean;
  readonly isRefreshing: boolean;
  readonly outbox: readonly string[];
  readonly refused: readonly string[];
  readonly timeline: readonly string[];
}

/** What an operator sees of a subject. */
export interface SubjectView {
  readonly stage: Stage;
  /** When it came to its stage, in milliseconds since the epoch. */
  readonly stageSince: number;
  readonly attention: readonly Attention[];
  readonly lifecycle: {
    readonly revision: number;
    readonly lastEventTime: number;
    readonly snapshot: Snapshot | null;
  };
  /** How far the lines are; null for what is no order. */
  readonly progress: Omit<Progress, 'byLine'> | null;
  /** Events that it was woken for and has not recorded, and announcements that wait to be acknowledged. */
  readonly waiting: { readonly events: number; readonly announcements: number };
}

/**
 * Wakes the workflow: events wait for it in the inbox. Brings their names, for people who read the history, and the settings of
 * today; whatever else it brings, it wakes.
 */
export const events = defineSignal<[names: readonly string[], settings: Settings]>('events');

/** Where the subject stands. */
export const lifecycle = defineQuery<SubjectView>('lifecycle');

/** What became of the subject, as lines of Markdown, oldest first; the oldest are left out in the end. */
export const timeline = defineQuery<readonly string[]>('timeline');

/** Fetches the subject now and takes in what it shows. */
export const refresh = defineUpdate<SubjectView>('refresh');

/** Ends the marks for attention. */
export const release = defineUpdate<SubjectView>('release');
