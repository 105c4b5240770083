import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
} as const;

/** Creates the sampler that `OTEL_TRACES_SAMPLER` names; its `parentbased_` forms keep the decision of the trace that they continue. */
export function createSampler(name: string, ratio: number): Sampler {
  const root = samplers[name.replace('parentbased_', '') as keyof typeof samplers](ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
