import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../../domain/errors.ts';
import type { SpanOptions, Tracing } from '../../domain/tracing.ts';

interface ExporterOptions {
  readonly url: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

function reportFailures(exporter: OTLPTraceExporter, { url, logger }: ExporterOptions) {
  let isFailing = false;
  return {
    export(items: Parameters<OTLPTraceExporter['export']>[0], done: (result: { readonly code: 0 }) => void) {
      exporter.export(items, ({ error }) => {
        if (error && !isFailing)
          logger.warn({ err: error, url }, 'traces cannot be exported; spans are lost meanwhile');
        if (!error && isFailing) logger.info({ url }, 'traces are exported again');
        isFailing = error !== undefined;
        // The SDK has nothing to add to what was logged.
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** With `OTEL_RESOURCE_ATTRIBUTES`. */
const describeProcess = (serviceName: string): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName }))
    .merge(detectResources({ detectors: [envDetector] }));

export interface TracingOptions extends ExporterOptions {
  readonly serviceName: string;
  /** Share of the traces begun here that are kept. Others keep the decision of the trace that they continue. */
  readonly ratio: number;
}

const EXPORT_EVERY_MS = 1000;

/** With retries. It also delays the end of a process whose collector hangs. */
const EXPORT_MS = 2000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER } as const;

/** Nothing is global, so that one process can run the parts of several. */
export function openTracing({ serviceName, ratio, ...exporting }: TracingOptions) {
  const sender = new OTLPTraceExporter({ url: exporting.url, timeoutMillis: EXPORT_MS });
  const exporter = reportFailures(sender, exporting);
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: describeProcess(serviceName),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('dockline');
  const spans = new AsyncLocalStorage<Span>();

  function begin(name: string, { kind, traces = [], links = [], attributes }: SpanOptions, startTime?: number): Span {
    const [parent, ...others] = traces.flatMap((text) => parseTraceparent(text) ?? []);
    const linked = [...others, ...links.flatMap((text) => parseTraceparent(text) ?? [])];
    const current = parent ? trace.wrapSpanContext(parent) : spans.getStore();
    const options = {
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
      attributes: { ...attributes },
      links: linked.map((context) => ({ context })),
      ...(startTime !== undefined && { startTime }),
    };
    return tracer.startSpan(name, options, current ? trace.setSpan(ROOT_CONTEXT, current) : ROOT_CONTEXT);
  }

  const tracing: Tracing = {
    async span(name, options, work) {
      const span = begin(name, options);
      try {
        return await spans.run(span, work);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
        throw error;
      } finally {
        span.end();
      }
    },

    ended(name, { ms, error, ...options }) {
      if (!spans.getStore()) return;
      const span = begin(name, options, Date.now() - ms);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end();
    },

    annotate: (attributes) => void spans.getStore()?.setAttributes({ ...attributes }),

    current() {
      const span = spans.getStore();
      return span && formatTraceparent(span.spanContext());
    },
  };

  return { ...tracing, close: () => provider.shutdown().catch(() => undefined) };
}

function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
