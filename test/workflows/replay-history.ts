import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { workflowsPath } from '../../src/temporal/workflow-bundle.ts';
import { openReplayer } from '../support/replayer.ts';

/** Bundles workflows, by default the product's, with a witness of their current details. */
export const bundleWitnessed = (path = workflowsPath): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: path,
    workflowInterceptorModules: [fileURLToPath(new URL('witness.ts', import.meta.url))],
    logger: new DefaultLogger('ERROR'),
  });

/** Opens a replayer that resolves with the current details at the end of a history. */
export function openWitnessedReplayer(workflowBundle: WorkflowBundleWithSourceMap) {
  let details = '';
  const fn = (_: unknown, text: string) => {
    details = text;
  };
  const { replay, close } = openReplayer({
    workflowBundle,
    sinks: { witness: { see: { fn, callDuringReplay: true } } },
  });
  return {
    async replay(...args: Parameters<typeof replay>): Promise<string> {
      details = '';
      await replay(...args);
      return details;
    },
    close,
  };
}
