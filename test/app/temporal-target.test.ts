import { expect, it } from 'vitest';
import { temporalMetrics } from '../../src/app/temporal-target.ts';
import { loadConfig } from '../../src/config/config.ts';

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_METRICS_EXPORTER: 'otlp' }],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9/v1/metrics' }],
])("the SDK's own metrics are sent to the collector of %j", (settings) => {
  const config = loadConfig({ ...settings, OTEL_METRIC_EXPORT_INTERVAL: '500' });
  expect(temporalMetrics(config)).toEqual({
    otel: { url: 'http://127.0.0.1:9/v1/metrics', http: true, metricsExportInterval: 500 },
  });
});
