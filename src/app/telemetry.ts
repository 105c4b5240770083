import type { Config } from '../config/config.ts';
import type { Logger } from '../domain/logger.ts';
import type { Tracing } from '../domain/tracing.ts';

/** Returns the address of the collector for traces or metrics; undefined if it is not to have them. */
export function collectorOf(config: Config, signal: 'traces' | 'metrics'): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: shared, OTEL_METRICS_EXPORTER: exporter, OTEL_SDK_DISABLED } = config;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: metrics } = config;
  const own = { traces, metrics }[signal];
  if (OTEL_SDK_DISABLED === 'true' || (signal === 'metrics' && exporter === 'none')) return undefined;
  // Many a backend of traces has no place for metrics, so these are asked for.
  if (own !== undefined || (signal === 'metrics' && exporter !== 'otlp')) return own;
  return shared === undefined ? undefined : `${shared.replace(/\/$/, '')}/v1/${signal}`;
}

/** Open traces. */
type OpenTracing = Tracing & { close(): Promise<void> };

/** Opens traces where a collector is configured. Nothing of OpenTelemetry is loaded otherwise. */
export async function startTracing(config: Config, logger: Logger): Promise<OpenTracing | undefined> {
  const url = collectorOf(config, 'traces');
  if (url === undefined) return undefined;
  const { openTracing } = await import('../observability/tracing/open-telemetry.ts');
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  const { OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMs } = config;
  return openTracing({ url, timeoutMs, serviceName, sampler, ratio, logger });
}
