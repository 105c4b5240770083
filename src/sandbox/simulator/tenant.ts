import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Credential, Credentials, CredentialType } from './api/credential.ts';
import type { EventName } from './effects/effects.ts';
import type { Circumstances } from './effects/occurrence.ts';
import { type PlayerDeps, type PlayOptions, play } from './scenarios/player.ts';
import type { EntryOptions } from './state/entry.ts';
import type { SimulatedEvent, Warehouse } from './warehouse.ts';
import type { SubjectTruth } from './webhooks/ledger.ts';
import type { WebhookRecord } from './webhooks/record.ts';

/** What one emitted event is given besides its name. */
export interface EmitOptions extends Circumstances {
  /** By default true. */
  readonly deliver?: boolean;
  /** Milliseconds since the epoch; by default now, yet later than the subject's last event. */
  readonly time?: number;
}

/** One tenant of the simulated warehouse: what it has, who hears of it, and who may ask. */
export interface Tenant {
  /** What messages call it. */
  readonly tplId: number;
  /** The single-tenant static credential, which needs no `tpl`. */
  readonly credentials: Credential;
  credentialOf(type: CredentialType): Credential;
  /** Replaces all records; throws a ZodError for one that breaks a rule of section 2.5 (http on loopback is allowed here). */
  setWebhooks(records: readonly WebhookRecord[]): void;
  /** Resolves when every life is over and every delivery is accepted, given up or dropped; early after `close`. */
  play(options: PlayOptions): Promise<void>;
  truth(): readonly SubjectTruth[];
  /**
   * Creates what nothing has happened to; returns its id, unique across kinds. Throws for a customer or a facility that there
   * is none of, and for stock that there is already.
   */
  create(kind: SubjectKind, options?: EntryOptions): string;
  /** The same as `create('order')`. */
  createOrder(options?: EntryOptions): string;
  /** The ids of an order's lines; throws for the id of anything else. */
  orderItemIds(orderId: string): readonly string[];
  /** Lets an event happen; resolves when its delivery is settled. Rejects for an unknown id, also of a line, and for another kind's event. */
  emit(id: string, event: EventName, options?: EmitOptions): Promise<SimulatedEvent>;
  /** Delivers an event, again or for the first time; the last status, null where nothing answered. */
  deliver(event: SimulatedEvent): Promise<number | null>;
}

/** What a tenant stands on. */
export interface TenantDeps extends PlayerDeps {
  readonly tplId: number;
  readonly credentials: Credentials;
}

/** The tenant of a warehouse. */
export function createTenant(deps: TenantDeps): Tenant {
  const { tplId, credentials, warehouse } = deps;
  const create = (kind: SubjectKind, options: EntryOptions = {}) =>
    warehouse.create({ kind, number: warehouse.numbering.reserve(kind, 1), life: null, options });
  return {
    tplId,
    credentials: credentials.singleTenantStatic,
    credentialOf: (type) => credentials[type],
    setWebhooks: warehouse.setWebhooks,
    play: (options) => play(options, deps),
    truth: warehouse.truth,
    create,
    createOrder: (options) => create('order', options),
    orderItemIds: (orderId) => orderItemIds(warehouse, orderId),
    emit: async (id, name, { deliver = true, ...rest } = {}) => {
      const { kind } = warehouse.book.get(id);
      const wmsEventId = warehouse.numbering.reserveEventIds(kind, 1);
      const event = warehouse.happen(id, { ...rest, name, wmsEventId });
      if (deliver) await warehouse.deliver(event).settled;
      return event;
    },
    deliver: (event) => warehouse.deliver(event).settled,
  };
}

function orderItemIds({ book }: Warehouse, orderId: string): readonly string[] {
  const state = book.get(orderId);
  if (state.kind !== 'order') throw new Error(`${state.kind} ${orderId} has no order items`);
  return state.lines.map(({ orderItemId }) => String(orderItemId));
}
