import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWitnessed, quietRuntime, replayHistory } from './replay-history.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const historyOf = (name: string): unknown => JSON.parse(read(`${name}.json`));

quietRuntime();

describe('recorded histories', () => {
  let bundle: WorkflowBundleWithSourceMap;
  beforeAll(async () => {
    bundle = await bundleWitnessed();
  });

  it('are of every scenario', () => {
    expect(names).toHaveLength(24);
  });

  it.each(names)('%s replays with the workflow as it is, to the same end', async (name) => {
    expect(await replayHistory(bundle, historyOf(name), name)).toBe(read(`${name}.md`));
  });

  describe('with a workflow that was altered', () => {
    let altered: WorkflowBundleWithSourceMap;
    beforeAll(async () => {
      altered = await bundleWitnessed(fileURLToPath(new URL('altered.ts', import.meta.url)));
    });

    it.each(names.filter((name) => name !== 'continued-on'))('%s does not replay', async (name) => {
      await expect(replayHistory(altered, historyOf(name), name)).rejects.toThrow(DeterminismViolationError);
    });
  });
});
