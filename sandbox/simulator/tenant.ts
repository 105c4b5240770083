import type { SubjectKind } from '../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import { type Credentials, type CredentialType, createCredentials } from './api/tokens.ts';
import type { EventName } from './kinds/kinds.ts';
import { createStream } from './random.ts';
import { createLocalTime } from './resources/resource.ts';
import type { Rates } from './scenarios/plan.ts';
import { type PlayerDeps, type PlayOptions, play } from './scenarios/player.ts';
import type { EntryOptions } from './state/entry.ts';
import { createNumbering } from './state/subject.ts';
import { createWarehouse, type EventOptions, type SimulatedEvent, type WarehouseDeps } from './warehouse.ts';
import type { WebhookRecord } from './webhooks/record.ts';

interface EmitOptions extends EventOptions {
  /** Delivers the event. Default: true. */
  readonly deliver?: boolean;
}

/** One tenant of the simulated warehouse: its data, webhooks and credentials. */
export type Tenant = ReturnType<typeof createTenant>;

export interface TenantOptions {
  readonly tplId: number;
  /** GUID that names the tenant in a token request. Default: chosen by the seed. */
  readonly tpl?: string;
  /** Offset of the warehouse's clocks, which write the dates inside resources, from UTC. Default: -360. */
  readonly utcOffsetMinutes?: number;
}

/** Options that all tenants of a simulator share. */
export interface SharedOptions {
  /** The same seed produces the same run. */
  readonly seed: number;
  /**
   * Id of the first order, from which the ids of the other kinds follow. Default: chosen by the seed. For a Dockline that keeps its data,
   * each simulator needs a higher one than the last, or its events are duplicates.
   */
  readonly firstId?: number;
  /** Default for all tenants. */
  readonly utcOffsetMinutes?: number;
  /** Mean pause between two events of one subject, in milliseconds. Default: 200. */
  readonly pace?: number;
  /** Default: all 0. */
  readonly rates?: Partial<Rates>;
}

/** Default offset of the warehouse's clocks. The API does not reveal it; six hours behind is a guess. */
export const UTC_OFFSET_MINUTES = -360;

/** Opens a tenant without data. Returns it with the parts that the API needs. */
export function openTenant(
  own: TenantOptions,
  shared: SharedOptions,
  { sender, manners, signal }: Pick<WarehouseDeps, 'sender' | 'manners'> & { readonly signal: AbortSignal },
) {
  const { seed, rates, pace: paceMs = 200, utcOffsetMinutes = UTC_OFFSET_MINUTES } = shared;
  const { firstId = 30_000_000 + 10_000 * createStream(seed, 'ids').between(0, 6_000) } = shared;
  const { tplId } = own;
  const credentials = createCredentials(seed, own);
  const warehouse = createWarehouse({
    seed,
    tplId,
    numbering: createNumbering(firstId),
    localTime: createLocalTime(own.utcOffsetMinutes ?? utcOffsetMinutes),
    sender,
    manners,
  });
  const allRates = { duplicate: 0, reorder: 0, late: 0, drop: 0, ...rates };
  const tenant = createTenant(tplId, credentials, { warehouse, signal, seed, rates: allRates, paceMs });
  return { tplId, credentials, warehouse, tenant };
}

function createTenant(tplId: number, credentials: Credentials, deps: PlayerDeps) {
  const { book, numbering, create, setWebhooks, emit, deliver } = deps.warehouse;
  const createAny = (kind: SubjectKind, options: EntryOptions = {}) =>
    create(kind, numbering.reserve(kind, 1), options);
  return {
    /** Id of the tenant in messages. */
    tplId,
    /** Single-tenant static credential, which needs no `tpl`. */
    credentials: credentials.singleTenantStatic,
    credentialOf: (type: CredentialType) => credentials[type],
    /** Replaces all webhook records. Throws a ZodError if one breaks a rule of section 2.5 (http on loopback is allowed here). */
    setWebhooks: (records: readonly WebhookRecord[]) => setWebhooks(records),
    /** Plays scenarios. Resolves when all have ended and every delivery is accepted, given up or dropped; early after `close`. */
    play: (options: PlayOptions) => play(options, deps),
    truth: book.truth,
    /** Returns a subject in every state that it had, oldest first; none for an unknown id. */
    history: book.history,
    /** Creates a subject and returns its id. Throws if the customer or facility is unknown, and if the stock exists. */
    create: createAny,
    createOrder: (options?: EntryOptions) => createAny(mainKind, options),
    /** Returns the ids of an order's lines. Throws if the id is not an order's. */
    orderItemIds(orderId: string): readonly string[] {
      const state = book.get(orderId);
      if (state.kind !== mainKind) throw new Error(`${state.kind} ${orderId} has no order items`);
      return state.lines.map(({ orderItemId }) => String(orderItemId));
    },
    /** Applies an event and resolves when its delivery is settled. Rejects for an unknown id and for an event of another kind. */
    async emit(id: string, name: EventName, { deliver: isDelivered = true, ...details }: EmitOptions = {}) {
      const wmsEventId = numbering.reserveEventIds(book.get(id).kind, 1);
      const event = emit(id, { ...details, name, wmsEventId });
      if (isDelivered) await deliver(event).settled;
      return event;
    },
    /** Delivers an event, again or for the first time. Resolves with the last status, null for no answer. */
    deliver: (event: SimulatedEvent) => deliver(event).settled,
  };
}
