import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SignaledEvent } from '../src/domain/event.ts';
import type { Lifecycle } from '../src/domain/lifecycle.ts';
import type { Progress } from '../src/domain/progress.ts';
import type { Stage } from '../src/domain/stage.ts';
import type { SubjectRef } from '../src/domain/subject.ts';

/** The durations and limits that a life goes by; inputs, so that a change never touches one under way. */
export interface LifeSettings {
  /** How long what is closed, canceled or deleted stays open for late events, in milliseconds. */
  readonly quietPeriodMs: number;
  /**
   * How long it may stay in a stage before it is announced as stalled, in milliseconds, by stage (`picked`) or by customer and
   * stage (`418:picked`), which goes first; absent means for ever.
   */
  readonly stageLimitsMs: { readonly [stage: string]: number };
  /** How many signals one run takes before it continues as new. Temporal's own limit is 10,000. */
  readonly signalsPerRun: number;
  /** How long an announcement is tried to be sent before it is parked, in milliseconds. */
  readonly announceForMs: number;
  /** Where the warehouse's GETs are taken up, at the rate that it allows. */
  readonly warehouseTaskQueue: string;
  /** Whether GETs are tried within the workflow's own task first, for which one process has to do everything. */
  readonly retrievesAtOnce: boolean;
}

/** What a workflow starts with; the rest is there only where it continues as new. */
export interface LifeInput {
  readonly subject: SubjectRef;
  readonly settings: LifeSettings;
  readonly carried?: Carried;
}

/** What one run hands to the next. */
export interface Carried {
  readonly lifecycle: Lifecycle;
  readonly queue: readonly SignaledEvent[];
  readonly outbox: readonly string[];
  readonly refused: readonly string[];
  readonly timeline: readonly string[];
  readonly stageSince: number;
  /** Announcements that were parked. */
  readonly parked: readonly string[];
}

/** Why a person should look at a subject. */
export type Attention = 'stalled' | 'refused' | 'unannounced';

/** What an operator sees of a subject. */
export interface LifeView {
  readonly stage: Stage;
  readonly attention: Attention | null;
  readonly lifecycle: Lifecycle;
  /** How far the lines are; null for what is no order. */
  readonly progress: Progress | null;
  /** Events that wait to be observed, and announcements that wait to be acknowledged. */
  readonly waiting: { readonly events: number; readonly announcements: number };
}

/** Events of the subject, in an array: everything that waited for it, at once. */
export const events = defineSignal<[readonly SignaledEvent[]]>('events');

/** Ids of parked announcements that are to be sent again. */
export const resend = defineSignal<[readonly string[]]>('resend');

/** Where the subject stands. */
export const lifecycle = defineQuery<LifeView>('lifecycle');

/** What became of the subject, as lines of Markdown, oldest first; the oldest are left out in the end. */
export const timeline = defineQuery<readonly string[]>('timeline');

/** Fetches the subject now and takes in what it shows. */
export const refresh = defineUpdate<LifeView>('refresh');

/** Ends the mark for attention. */
export const release = defineUpdate<LifeView>('release');
