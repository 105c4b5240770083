import type { SubjectKind } from '../domain/subject.ts';
import { buildApp } from './app.ts';
import type { Credential, CredentialType } from './credential.ts';
import type { EventName } from './effects.ts';
import type { Faults } from './faults.ts';
import type { SubjectTruth } from './ledger.ts';
import type { LifeName } from './lives.ts';
import type { DeliveryForm } from './message.ts';
import { openParts, type Parts } from './parts.ts';
import type { Rates } from './plan.ts';
import { type PlayerDeps, type PlayOptions, play } from './player.ts';
import type { SenderCounts } from './sender.ts';
import type { TransactionOptions } from './transaction.ts';
import type { SimulatedEvent } from './warehouse.ts';
import type { WebhookRecord } from './webhook-record.ts';

/** The types of the simulator's options and answers. */
export type { DeliveryForm, EventName, Faults, LifeName, Rates, SimulatedEvent, SubjectTruth, WebhookRecord };

/** How the simulated warehouse is to behave. */
export interface SimulatorOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** The same seed makes the same run. */
  readonly seed: number;
  /** The warehouse operator in messages; by default 9104. */
  readonly tplId?: number;
  /**
   * The id of the first order, from which those of the other kinds follow; by default the seed chooses it. Where Dockline's
   * data outlive a simulator, the next one needs a higher one (at least by the number of each kind), or its events are taken
   * for repeats.
   */
  readonly firstId?: number;
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

/** What one emitted event is given besides its name. */
export interface EmitOptions {
  /** By default true. */
  readonly deliver?: boolean;
  /** Milliseconds since the epoch; by default now, yet later than the subject's last event. */
  readonly time?: number;
  /** A pick job that is done without every line picked. */
  readonly incomplete?: boolean;
}

/** Everything the simulator counts. */
export interface SimulatorCounts extends SenderCounts {
  /** Calls that came in, by operation. */
  readonly calls: Readonly<Record<string, number>>;
}

/** A running warehouse. */
export interface Simulator {
  readonly baseUrl: string;
  /** The same as `baseUrl`. */
  readonly authUrl: string;
  /** The single-tenant static credential, which needs no `tpl`. */
  readonly credentials: Credential;
  credentialOf(type: CredentialType): Credential;
  /** Replaces all records; throws a ZodError for one that breaks a rule of section 2.5 (http on loopback is allowed here). */
  setWebhooks(records: readonly WebhookRecord[]): void;
  /** Resolves when every life is over and every delivery is accepted, given up or dropped; early after `close`. */
  play(options: PlayOptions): Promise<void>;
  truth(): readonly SubjectTruth[];
  counts(): SimulatorCounts;
  setFaults(faults: Partial<Faults>): void;
  /** Signs with a new key from now on. */
  rotateKey(): void;
  /** Makes every token that was issued invalid. */
  revokeTokens(): void;
  /** Creates what nothing has happened to; returns its id, unique across kinds. Throws for a customer that there is none of. */
  create(kind: SubjectKind, options?: TransactionOptions): string;
  /** The same as `create('order')`. */
  createOrder(options?: TransactionOptions): string;
  /** Lets an event happen; resolves when its delivery is settled. Rejects for an unknown id and for another kind's event. */
  emit(id: string, event: EventName, options?: EmitOptions): Promise<SimulatedEvent>;
  /** Delivers an event, again or for the first time; the last status, null where nothing answered. */
  deliver(event: SimulatedEvent): Promise<number | null>;
  close(): Promise<void>;
}

/** Starts a simulated warehouse that listens when the promise resolves. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const parts = openParts(options);
  const simulator = toSimulator(parts, options);
  const app = buildApp({ ...parts, simulator });
  const { host = '127.0.0.1', port } = options;
  const baseUrl = await app.listen({ host, port });
  return {
    ...simulator,
    baseUrl,
    authUrl: baseUrl,
    close: async () => {
      parts.closing.abort();
      await parts.sender.close();
      await app.close();
    },
  };
}

function toSimulator(parts: Parts, options: SimulatorOptions): Omit<Simulator, 'baseUrl' | 'authUrl' | 'close'> {
  const { warehouse, credentials } = parts;
  const { book, numbering } = warehouse;
  const create = (kind: SubjectKind, what: TransactionOptions = {}) =>
    warehouse.create({ kind, number: numbering.reserve(kind, 1), life: null, options: what });
  return {
    credentials: credentials.singleTenantStatic,
    credentialOf: (type) => credentials[type],
    setWebhooks: warehouse.setWebhooks,
    play: (what) => play(what, toPlayerDeps(parts, options)),
    truth: warehouse.truth,
    counts: () => ({ ...parts.sender.counts(), calls: parts.calls.counts() }),
    setFaults: parts.faults.set,
    rotateKey: parts.key.rotate,
    revokeTokens: parts.tokens.revokeAll,
    create,
    createOrder: (what) => create('order', what),
    emit: async (id, name, { deliver = true, ...rest } = {}) => {
      const { kind } = book.get(Number(id));
      const event = warehouse.happen(id, { ...rest, name, wmsEventId: numbering.reserveEventIds(kind, 1) });
      if (deliver) await warehouse.deliver(event).settled;
      return event;
    },
    deliver: (event) => warehouse.deliver(event).settled,
  };
}

function toPlayerDeps({ warehouse, signal }: Parts, { seed, rates, pace = 200 }: SimulatorOptions): PlayerDeps {
  return { warehouse, signal, seed, paceMs: pace, rates: { duplicate: 0, reorder: 0, late: 0, drop: 0, ...rates } };
}
