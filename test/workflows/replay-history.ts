import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { workflowsPath } from '../../src/temporal/workers.ts';

/** Keeps the SDK quiet: a history that does not replay is reported by the test. */
export function quietRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}

/** Bundles workflows, by default the product's, so that a replay reports where they stand. */
export const bundleWitnessed = (path = workflowsPath): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: path,
    workflowInterceptorModules: [fileURLToPath(new URL('witness.ts', import.meta.url))],
    logger: new DefaultLogger('ERROR'),
  });

/** Replays a history; resolves with the current details at its end. @throws DeterminismViolationError */
export async function replayHistory(
  workflowBundle: WorkflowBundleWithSourceMap,
  history: unknown,
  workflowId: string,
): Promise<string> {
  let details = '';
  const fn = (_: unknown, text: string) => {
    details = text;
  };
  const see = { fn, callDuringReplay: true };
  await Worker.runReplayHistory({ workflowBundle, sinks: { witness: { see } } }, history, workflowId);
  return details;
}
