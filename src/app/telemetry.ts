import type { Logger } from '../base/logger.ts';
import type { Config } from '../config/config.ts';
import type { Tracing } from '../domain/tracing.ts';

/** Undefined if there is none, or it is turned off. */
function collectorOf(config: Config): string | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: shared, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_SDK_DISABLED } = config;
  if (OTEL_SDK_DISABLED === 'true') return undefined;
  return own ?? (shared === undefined ? undefined : `${shared.replace(/\/$/, '')}/v1/traces`);
}

type OpenTracing = Tracing & { close(): Promise<void> };

/** Loads OpenTelemetry only if a collector is configured. */
export async function startTracing(config: Config, logger: Logger): Promise<OpenTracing | undefined> {
  const url = collectorOf(config);
  if (url === undefined) return undefined;
  const { openTracing } = await import('../observability/tracing/open-telemetry.ts');
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  const { OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMs } = config;
  return openTracing({ url, timeoutMs, serviceName, sampler, ratio, logger });
}
