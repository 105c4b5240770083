import { z } from 'zod';
import { bareAddress, text } from '../../forms/forms.ts';
import { nodeTimer, rate } from '../../forms/numbers.ts';

const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

const collector = bareAddress('; OTEL_EXPORTER_OTLP_HEADERS can have an Authorization');

/** Named by OpenTelemetry. */
export const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector
    .optional()
    .describe(
      'Traces over OTLP (HTTP, protobuf): the address of a collector, to which /v1/traces is added. Off unless it is set (docs/observability.md).',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector
    .optional()
    .describe('The whole address for traces, instead of the one above.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe("Headers of the export, such as the collector's key: name=value, separated by commas."),
  OTEL_EXPORTER_OTLP_TIMEOUT: nodeTimer(1)
    .default(2000)
    .describe('Time for one export with its retries, and for the last one when a process stops, in milliseconds.'),
  OTEL_SERVICE_NAME: text
    .default('dockline')
    .describe('Name of the service in traces, and more about it: name=value,…'),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default('parentbased_always_on')
    .describe(
      'Traces that are kept: always_on, always_off or traceidratio with a share from 0 to 1, each also as parentbased_….',
    ),
  OTEL_TRACES_SAMPLER_ARG: rate.default(1),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false').describe('true turns traces off.'),
};
