import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { EnrichedChange } from '../activities/record.ts';
import type { OrderEvent } from '../src/domain/event.ts';
import type { Lifecycle } from '../src/domain/lifecycle.ts';
import type { OrderRef } from '../src/domain/order-id.ts';
import type { Stage } from '../src/domain/stage.ts';

/** The durations and limits that an order lives by; inputs, so that a change never touches an order under way. */
export interface OrderSettings {
  /** How long a closed, canceled or deleted order stays open for late events, in milliseconds. */
  readonly quietPeriodMs: number;
  /** How long an order may stay in a stage before it is announced as stalled, in milliseconds; absent means for ever. */
  readonly stageLimitsMs: { readonly [S in Stage]?: number };
  /** How many signals one run takes before it continues as new. Temporal's own limit is 10,000. */
  readonly signalsPerRun: number;
}

/** What an order's workflow starts with; the rest is there only where it continues as new. */
export interface OrderInput {
  readonly order: OrderRef;
  readonly settings: OrderSettings;
  readonly carried?: Carried;
}

/** What one run hands to the next. */
export interface Carried {
  readonly lifecycle: Lifecycle;
  readonly queue: readonly OrderEvent[];
  readonly unrecorded: readonly EnrichedChange[];
  readonly outbox: readonly string[];
  readonly refused: readonly string[];
  readonly timeline: readonly string[];
  readonly stageSince: number;
}

/** Why a person should look at an order. */
export type Attention = 'stalled' | 'refused';

/** What an operator sees of an order. */
export interface OrderView {
  readonly stage: Stage;
  readonly attention: Attention | null;
  readonly lifecycle: Lifecycle;
  /** Events that wait to be observed, and announcements that wait to be acknowledged. */
  readonly waiting: { readonly events: number; readonly announcements: number };
}

/** Events of the order, in an array: everything that waited for it, at once. */
export const events = defineSignal<[readonly OrderEvent[]]>('events');

/** Where the order stands. */
export const lifecycle = defineQuery<OrderView>('lifecycle');

/** Fetches the order now and takes in what it shows. */
export const refresh = defineUpdate<OrderView>('refresh');

/** Ends the order's mark for attention. */
export const release = defineUpdate<OrderView>('release');
