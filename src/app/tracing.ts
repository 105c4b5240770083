import type { Config } from '../config/config.ts';
import type { Tracing } from '../domain/tracing.ts';
import type { Logger } from '../observability/logger.ts';
import { collectorOf } from './collector.ts';

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
