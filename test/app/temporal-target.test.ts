import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { temporalMetrics, temporalTarget } from '../../src/app/temporal-target.ts';
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

it('failures go to Temporal well formed, with a codec and without', async () => {
  const codec = { TEMPORAL_CODEC_KEYS: `first:${Buffer.alloc(32).toString('base64')}` };
  for (const env of [{}, codec]) {
    const { failureConverterPath = '' } = temporalTarget(loadConfig(env)).dataConverter ?? {};
    const { failureConverter } = await import(failureConverterPath);
    const failure = failureConverter.errorToFailure(new Error('half \ud83d'), defaultPayloadConverter);
    expect(JSON.stringify(Object.values(failure).filter((it) => typeof it === 'string'))).not.toMatch(/\\ud83d/);
  }
});
