import type { Guide } from '../admin/guide.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import type { Logger } from '../base/logger.ts';
import type { Config } from '../config/config.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import type { DestinationContext } from '../destinations/kinds/kind.ts';
import type { Tracing } from '../domain/tracing.ts';
import type { Observers } from '../observability/metrics/metrics.ts';
import type { WorkersOptions } from '../temporal/workers.ts';
import type { Store } from './store.ts';

export const contextOf = (config: Config, tracing?: Tracing): DestinationContext => ({
  tracing,
  proxies: config,
  timeoutMs: config.ANNOUNCE_TIMEOUT_MS,
  allowedAddresses: config.ANNOUNCE_ALLOWED_ADDRESSES,
});

export const roles = ['webhook', 'dispatcher', 'worker', 'admin'] as const;

export type Role = (typeof roles)[number];

export interface Dependencies {
  readonly temporal: {
    readonly address: string;
    readonly uiUrl?: string;
    readonly pid?: number;
  };
  readonly tenants: readonly TenantSettings[];
  readonly alerts: AlertSettings | undefined;
  readonly guide?: Guide;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly dependencies: Dependencies;
  readonly logger: Logger;
  /** For good: the service must be restarted. */
  readonly onFailure: (error: unknown) => void;
  readonly taskQueue?: string;
  readonly workflowBundle?: WorkersOptions['workflowBundle'];
}

export interface PartOptions extends ServiceOptions {
  readonly store: Store;
  readonly taskQueue: string;
  readonly observers?: Observers | undefined;
  readonly tracing?: Tracing | undefined;
  /** In the workflow's own task. */
  readonly isInline: () => boolean;
}
