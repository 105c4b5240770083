import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeterminismViolationError } from '@temporalio/workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { bundleWitnessed, openWitnessedReplayer } from './replay-history.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const historyOf = (name: string): unknown => JSON.parse(read(`${name}.json`));

quietRuntime();

function useWitnessedReplayer(workflows?: string): () => ReturnType<typeof openWitnessedReplayer> {
  let replayer: ReturnType<typeof openWitnessedReplayer>;
  beforeAll(async () => {
    replayer = openWitnessedReplayer(await bundleWitnessed(workflows));
  });
  afterAll(() => replayer.close());
  return () => replayer;
}

describe('recorded histories', () => {
  const replayer = useWitnessedReplayer();

  it('cover every scenario', () => {
    expect(names).toHaveLength(24);
  });

  it.each(names)('%s replays with the current workflow and ends the same', async (name) => {
    expect(await replayer().replay(historyOf(name), name)).toBe(read(`${name}.md`));
  });
});

describe('recorded histories of an altered workflow', () => {
  const replayer = useWitnessedReplayer(fileURLToPath(new URL('altered.ts', import.meta.url)));

  it.each(names.filter((name) => name !== 'continued-on'))('%s does not replay', async (name) => {
    await expect(replayer().replay(historyOf(name), name)).rejects.toThrow(DeterminismViolationError);
  });
});
