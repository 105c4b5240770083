import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, inject, it } from 'vitest';

const folder = new URL('../histories/', import.meta.url);
const histories = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
});

describe('recorded histories', () => {
  it('are of every scenario', () => {
    expect(histories).toHaveLength(23);
  });

  it.each(histories)('%s replays with the workflow as it is', async (name) => {
    await Worker.runReplayHistory({ workflowBundle: { codePath: inject('workflowBundle') } }, read(name), name);
  });

  describe('with a workflow that was altered', () => {
    let altered: WorkflowBundleWithSourceMap;
    beforeAll(async () => {
      const workflowsPath = fileURLToPath(new URL('altered.ts', import.meta.url));
      altered = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
    });

    it.each(histories.filter((name) => name !== 'continued-on.json'))('%s does not replay', async (name) => {
      const replay = Worker.runReplayHistory({ workflowBundle: altered }, read(name), name);
      await expect(replay).rejects.toThrow(DeterminismViolationError);
    });
  });
});
