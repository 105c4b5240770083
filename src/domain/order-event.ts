import { findEntry } from './catalogue.ts';
import type { OrderEvent, WarehouseEvent } from './event.ts';

/** The event as its order's workflow takes it: with its milestone and its plan. Undefined for another subject's event. */
export function toOrderEvent(event: WarehouseEvent): OrderEvent | undefined {
  const entry = findEntry(event.name);
  if (!entry?.milestone) return undefined;
  const { id, name, time, userId, pickJobId } = event;
  return {
    id,
    name,
    milestone: entry.milestone,
    time,
    plan: entry.retrieves,
    ...(userId && { userId }),
    ...(pickJobId && { pickJobId }),
  };
}
