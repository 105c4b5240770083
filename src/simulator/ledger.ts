import type { Milestone } from '../domain/milestone.ts';
import type { Stage } from '../domain/stage.ts';
import type { LifeName } from './lives.ts';

/** What became of the deliveries of an event: accepted, never sent, or sent in vain (so far). */
export type Fate = 'delivered' | 'dropped' | 'undelivered';

/** An event that truly happened. */
export interface EventTruth {
  /** `tplId:wmsEventId`. */
  readonly id: string;
  readonly name: string;
  readonly milestone: Milestone;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly fate: Fate;
}

/** What truly happened to an order, whatever anyone was told. */
export interface OrderTruth {
  readonly orderId: string;
  readonly tenant: string;
  /** The life that was played; null for an order that a caller led. */
  readonly life: LifeName | null;
  readonly stage: Stage;
  /** In the order in which they happened. */
  readonly events: readonly EventTruth[];
}

/** The simulator's own record of what it did. */
export interface Ledger {
  open(orderId: string, life: LifeName | null): void;
  /** Records an event whose delivery has not been tried. */
  write(orderId: string, event: Omit<EventTruth, 'fate'>): void;
  /** Records how a delivery ended; an event once delivered stays so. */
  settle(eventId: string, fate: Fate): void;
  /** Everything that happened, the order that was opened first first. */
  truth(tenant: string, stageOf: (orderId: string) => Stage): readonly OrderTruth[];
}

/** Opens an empty ledger. */
export function createLedger(): Ledger {
  const orders = new Map<string, { life: LifeName | null; events: Omit<EventTruth, 'fate'>[] }>();
  const fates = new Map<string, Fate>();
  return {
    open: (orderId, life) => orders.set(orderId, { life, events: [] }),
    write: (orderId, event) => {
      orders.get(orderId)?.events.push(event);
      fates.set(event.id, 'dropped');
    },
    settle: (eventId, fate) => {
      if (fates.get(eventId) !== 'delivered') fates.set(eventId, fate);
    },
    truth: (tenant, stageOf) =>
      [...orders].map(([orderId, { life, events }]) => ({
        orderId,
        tenant,
        life,
        stage: stageOf(orderId),
        events: events.map((event) => ({ ...event, fate: fates.get(event.id) ?? 'dropped' })),
      })),
  };
}
