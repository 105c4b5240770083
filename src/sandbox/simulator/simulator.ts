import type { Faults } from './api/faults.ts';
import type { EventName } from './effects/effects.ts';
import type { Rates } from './scenarios/plan.ts';
import type { ScenarioName } from './scenarios/scenarios.ts';
import type { EntryOptions } from './state/entry.ts';
import type { EmitOptions, Tenant } from './tenant.ts';
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
  Rates,
  ScenarioName as LifeName,
  SimulatedEvent,
  SubjectTruth,
  Tenant,
  WebhookRecord,
};

/** A warehouse tenant. */
export interface TenantOptions {
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
  /** The warehouse tenant in messages where there is but one; by default 9104. */
  readonly tplId?: number;
  /** Several warehouse tenants, with nothing in common but the seed and the ids that they begin at. */
  readonly tenants?: readonly TenantOptions[];
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

/** A running warehouse; its own face as a tenant is that of its first one. */
export interface Simulator extends Tenant {
  readonly baseUrl: string;
  /** The same as `baseUrl`. */
  readonly authUrl: string;
  /** The tenant with that `tplId`; throws where there is none. */
  tenant(tplId: number): Tenant;
  /** Of all tenants together. */
  counts(): SimulatorCounts;
  setFaults(faults: Partial<Faults>): void;
  /** Signs with a new key from now on. */
  rotateKey(): void;
  /** Makes every token that was issued invalid. */
  revokeTokens(): void;
  close(): Promise<void>;
}
