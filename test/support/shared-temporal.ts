import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { defaultCacheFolder, findServerBinary } from '../../src/sandbox/temporal-server/server-binary.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.ts';
import { workflowsPath } from '../../src/temporal/workers.ts';
import { createFolder, startTemporalServer } from './temporal-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address (`host:port`) of the Temporal server that all tests share. Its namespace is `default`. */
    readonly temporalAddress: string;
    /** Path of Temporal's CLI, for tests that start their own server. */
    readonly temporalBinary: string;
    /** Path of the workflow bundle that all workers share. */
    readonly workflowBundle: string;
  }
}

/** Maximum delay of a timer, one second by default. */
const TIMER_DELAY = 'history.timerProcessorMaxTimeShift';

/** Starts the Temporal server that all tests share; returns its teardown. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const binary = await findServerBinary({ cacheFolder: defaultCacheFolder(process.env, homedir()), log: console.log });
  const folder = await createFolder();
  const server = await startTemporalServer({ binary, folder: folder.path, dynamicConfig: { [TIMER_DELAY]: '10ms' } });
  const { connection, close } = openTemporal({ address: server.address, namespace: 'default' });
  await registerSearchAttributes(connection, 'default');
  await close();
  provide('temporalAddress', server.address);
  provide('temporalBinary', binary);
  const workflowBundle = join(folder.path, 'workflows.js');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  await writeFile(workflowBundle, code);
  provide('workflowBundle', workflowBundle);
  return async () => {
    await server.stop();
    await folder.remove();
  };
}
