import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing, SubjectView } from '../src/domain/lifecycle/standing.ts';
import type { OutgoingIds } from '../src/domain/outgoing.ts';
import type { SearchAttributeChoice, SearchAttributeName } from '../src/domain/search-attributes.ts';

/** Every wake carries the current ones. */
export interface Settings {
  /** Time that a subject which is over stays open for late events. */
  readonly gracePeriodMs: number;
  /** By stage (`picked`) or, with precedence, customer and stage (`418:picked`); no limit if absent. */
  readonly stageLimitsMs: { readonly [stage: string]: number };
  /** Temporal's own limit is 10,000. */
  readonly signalsPerRun: number;
  /** Allows one inline attempt to retrieve and announce before regular activities do. */
  readonly inline: boolean;
  /** Attributes that are kept up to date; all if absent, as in runs of an earlier version. */
  readonly searchAttributes?: SearchAttributeChoice | readonly SearchAttributeName[];
  /** Writes `LastEventTime` only together with another attribute; absent in runs of an earlier version, which write it with every event. */
  readonly eventTimeWithOthers?: true;
  readonly warehouseTaskQueue: string;
  readonly announceTaskQueue: string;
}

/** `carried` is set by continue-as-new. */
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
 * Wakes the workflow because events wait in the inbox. Names are for people who read the history. Malformed arguments
 * are ignored, but still wake.
 */
export const events = defineSignal<[names: readonly string[], settings: Settings]>('events');

export const lifecycle = defineQuery<SubjectView>('lifecycle');

export const standing = defineQuery<Standing | null>('standing');

export const timeline = defineQuery<readonly string[]>('timeline');

export const refresh = defineUpdate<SubjectView>('refresh');

export const release = defineUpdate<SubjectView, [by?: string]>('release');

/** Restores cleared attention marks that have not ended since. */
export const undoRelease = defineUpdate<SubjectView, [by?: string]>('undoRelease');
