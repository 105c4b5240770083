import type { Config } from '../config/config.ts';
import type { DestinationContext } from '../destinations/kinds/kind.ts';
import type { Tracing } from '../domain/tracing.ts';

export const contextOf = (config: Config, tracing?: Tracing): DestinationContext => ({
  tracing,
  proxies: config,
  timeoutMs: config.ANNOUNCE_TIMEOUT_MS,
  allowedAddresses: config.ANNOUNCE_ALLOWED_ADDRESSES,
});
