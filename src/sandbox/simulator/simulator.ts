import type { Faults } from './api/faults.ts';
import type { EventName } from './effects/effects.ts';
import type { Rates } from './scenarios/plan.ts';
import type { LifeName } from './scenarios/scenarios.ts';
import type { EntryOptions } from './state/entry.ts';
import type { EmitOptions, Operator } from './tenant.ts';
import type { SimulatedEvent } from './warehouse.ts';
import type { SubjectTruth } from './webhooks/ledger.ts';
import type { DeliveryForm } from './webhooks/message.ts';
import type { WebhookRecord } from './webhooks/record.ts';
import type { SenderCounts } from './webhooks/sender.ts';

/** The types of the simulator's options and answers. */
export type {
  DeliveryForm,
  EmitOptions,
  EntryOptions,
  EventName,
  Faults,
  LifeName,
  Operator,
  Rates,
  SimulatedEvent,
  SubjectTruth,
  WebhookRecord,
};

/** A warehouse operator. */
export interface OperatorOptions {
  readonly tplId: number;
  /** The GUID that names it in a token request; by default the seed makes one. */
  readonly tpl?: string;
  /** By default as for all. */
  readonly utcOffsetMinutes?: number;
}

/** How the simulated warehouse is to behave. */
export interface SimulatorOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** The same seed makes the same run. */
  readonly seed: number;
  /** The warehouse operator in messages where there is but one; by default 9104. */
  readonly tplId?: number;
  /** Several warehouse operators, with nothing in common but the seed and the ids that they begin at. */
  readonly operators?: readonly OperatorOptions[];
  /**
   * The id of the first order, from which those of the other kinds follow; by default the seed chooses it. Where Dockline's
   * data outlive a simulator, the next one needs a higher one (at least by the number of each kind), or its events are taken
   * for repeats.
   */
  readonly firstId?: number;
  /** How far the warehouse's clocks, which write the dates inside resources, are from UTC; by default -360. */
  readonly utcOffsetMinutes?: number;
  /** The mean pause between two events of one subject, in milliseconds; by default 200. */
  readonly pace?: number;
  /** The time between two attempts of a delivery, really 15 minutes; by default 1000. */
  readonly retryIntervalMs?: number;
  /** By default 1800. */
  readonly tokenLifetimeSeconds?: number;
  /** By default all 0. */
  readonly rates?: Partial<Rates>;
  /** By default none. */
  readonly faults?: Partial<Faults>;
  /** By default as in captured traffic. */
  readonly form?: Partial<DeliveryForm>;
}

/** Everything the simulator counts. */
export interface SimulatorCounts extends SenderCounts {
  /** Calls that came in, by operation. */
  readonly calls: Readonly<Record<string, number>>;
}

/** A running warehouse; its own face as an operator is that of its first one. */
export interface Simulator extends Operator {
  readonly baseUrl: string;
  /** The same as `baseUrl`. */
  readonly authUrl: string;
  /** The operator with that `tplId`; throws where there is none. */
  operator(tplId: number): Operator;
  /** Of all operators together. */
  counts(): SimulatorCounts;
  setFaults(faults: Partial<Faults>): void;
  /** Signs with a new key from now on. */
  rotateKey(): void;
  /** Makes every token that was issued invalid. */
  revokeTokens(): void;
  close(): Promise<void>;
}
