import { isIPv6 } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';
import type { Guide } from '../admin/board/layout.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import type { Logger } from '../base/logger.ts';
import { isLoopbackAuthority } from '../base/loopback.ts';
import type { Config } from '../config/config.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import type { DestinationContext } from '../destinations/kinds/kind.ts';
import type { Tracing } from '../domain/tracing.ts';
import type { Observers } from '../observability/metrics/metrics.ts';
import { createCodec } from '../temporal/codec/codec.ts';
import { createDataConverter, type TemporalOptions } from '../temporal/connection.ts';
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

export function temporalTarget(
  config: Config,
  address = config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}`,
): TemporalOptions {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_CODEC_KEYS: keys, temporalCredentials: credentials } = config;
  return { address, namespace, credentials, dataConverter: createDataConverter(keys && createCodec(keys)) };
}

/** The SDK serves them on its own listener; undefined without one. */
export function temporalMetrics(config: Config): MetricsExporterConfig | undefined {
  const { METRICS_HOST: host, TEMPORAL_METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  return { prometheus: { bindAddress: `${isIPv6(host) ? `[${host}]` : host}:${port}` } };
}

export function warnOfPlainText({ TEMPORAL_ADDRESS, temporalCredentials }: Config, logger: Pick<Logger, 'warn'>): void {
  if (!TEMPORAL_ADDRESS || isLoopbackAuthority(TEMPORAL_ADDRESS) || temporalCredentials.tls) return;
  logger.warn(
    { address: TEMPORAL_ADDRESS },
    'Temporal is reached in plain text beyond this machine; set TEMPORAL_TLS=true',
  );
}
