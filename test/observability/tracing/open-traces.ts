import { onTestFinished } from 'vitest';
import { openTracing, type TracingOptions } from '../../../src/observability/tracing/open-telemetry.ts';
import { startOtlpReceiver } from '../../support/otlp-receiver.ts';

/** Opens traces that go to a collector of the test's own. */
export async function openTraces(changes: Partial<TracingOptions> = {}) {
  const collector = await startOtlpReceiver();
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const tracing = openTracing({
    url: `${collector.endpoint}/v1/traces`,
    serviceName: 'dockline',
    ratio: 1,
    logger: { warn: log, info: log },
    ...changes,
  });
  onTestFinished(() => tracing.close());
  return { collector, tracing, logged };
}
