import type { DestinationSettings } from './settings.ts';

/** Returns an address without user, password and query. */
export function plainAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
}

/** Returns what may be seen of a destination: nothing that is secret. */
export const visible = (settings: DestinationSettings) => ({
  address: plainAddress(settings.url),
  kinds: settings.kinds,
  types: settings.types,
  customers: settings.customers,
  detail: settings.detail,
  maxBytes: settings.maxBytes,
  hasRecordsToken: settings.recordsToken !== undefined,
});
