import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';

/** Options of an exporter. */
export interface ExporterOptions {
  /** Address that spans are exported to by OTLP over HTTP. */
  readonly url: string;
  /** Timeout of an export with its retries, in milliseconds. It also delays the end of a process whose collector hangs. */
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Creates an exporter over OTLP. A collector that fails is logged once, and once more when it answers again; spans that it did not take are
 * lost.
 */
export function createExporter({ url, timeoutMs, logger }: ExporterOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  let isFailing = false;

  function note(error: Error | undefined): void {
    if (error && !isFailing) logger.warn({ err: error, url }, 'traces cannot be exported; spans are lost meanwhile');
    if (!error && isFailing) logger.info({ url }, 'traces are exported again');
    isFailing = error !== undefined;
  }

  return {
    export(spans, done) {
      exporter.export(spans, ({ error }) => {
        note(error);
        // The processor has nothing to add to what was logged.
        done({ code: 0 });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
