import type { Config } from '../config/config.ts';

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
