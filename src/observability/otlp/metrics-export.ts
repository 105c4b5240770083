import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { MetricsExporterMetricsHelper, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { emptyResource } from '@opentelemetry/resources';
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';
import { describeProcess, type ExporterOptions, reportFailures, shutDown } from './exporter.ts';
import { toMetricData } from './metric-data.ts';

export interface MetricsExportOptions extends ExporterOptions {
  readonly serviceName: string;
  /** Time between exports, in milliseconds. */
  readonly everyMs: number;
  readonly registry: Pick<Registry, 'getMetricsAsJSON'>;
  /** Sets the gauges that are read from elsewhere. */
  readonly refresh: () => Promise<unknown>;
}

/** Exports all metrics of a registry over OTLP, now and then and when it closes. */
export function openMetricsExport({ serviceName, everyMs, registry, refresh, ...exporting }: MetricsExportOptions) {
  const startedAt = Date.now();
  const { timeoutMs } = exporting;
  const producer: MetricProducer = {
    async collect() {
      await refresh();
      const times = { startedAt, endedAt: Date.now() };
      const metrics = (await registry.getMetricsAsJSON()).map((metric) => toMetricData(metric, times));
      const scopeMetrics = [{ scope: { name: 'dockline' }, metrics }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: reportFailures('metrics', createExporter(exporting), exporting),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(timeoutMs, everyMs),
    metricProducers: [producer],
  });
  const provider = new MeterProvider({ resource: describeProcess(serviceName), readers: [reader] });
  return { close: () => shutDown(provider, timeoutMs) };
}

/** Creates the exporter of `@opentelemetry/exporter-metrics-otlp-proto`, whose newest version requires another version of the SDK. */
function createExporter({ url, timeoutMs }: ExporterOptions): OTLPExporterBase<ResourceMetrics> {
  const headers = { 'Content-Type': 'application/x-protobuf' };
  const options = convertLegacyHttpOptions({ url, timeoutMillis: timeoutMs }, 'METRICS', 'v1/metrics', headers);
  const type = 'otlp_http_metric_exporter';
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, ProtobufMetricsSerializer, type, MetricsExporterMetricsHelper, undefined),
  );
}
