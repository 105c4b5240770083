import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { Logger } from '../../base/logger.ts';

export interface ExporterOptions {
  readonly url: string;
  /** With retries. It also delays the end of a process whose collector hangs. */
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

interface Exporter<T> {
  export(items: T, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}

/** Logs once that the collector fails, and once that it answers again. */
export function reportFailures<T>(exporter: Exporter<T>, { url, logger }: ExporterOptions) {
  let isFailing = false;
  return {
    export(items: T, done: (result: { readonly code: 0 }) => void) {
      exporter.export(items, ({ error }) => {
        if (error && !isFailing)
          logger.warn({ err: error, url }, 'traces cannot be exported; spans are lost meanwhile');
        if (!error && isFailing) logger.info({ url }, 'traces are exported again');
        isFailing = error !== undefined;
        // The SDK has nothing to add to what was logged.
        done({ code: 0 });
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** With `OTEL_RESOURCE_ATTRIBUTES`. */
export const describeProcess = (serviceName: string): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': serviceName }))
    .merge(detectResources({ detectors: [envDetector] }));

/** Exports the rest, but waits no longer for a collector that hangs. */
export async function shutDown(provider: { shutdown(): Promise<void> }, withinMs: number): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, withinMs);
  await Promise.race([provider.shutdown().catch(() => undefined), waited.promise]);
  clearTimeout(timer);
}
