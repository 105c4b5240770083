import { findEntry } from './catalogue.ts';
import type { SignaledEvent, WarehouseEvent } from './event.ts';

/** The event as its subject's workflow takes it: with its milestone and its plan. Undefined for an event that none follows. */
export function toSignaledEvent(event: WarehouseEvent): SignaledEvent | undefined {
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
