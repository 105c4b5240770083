import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import type { TestProject } from 'vitest/node';
import { findServerBinary } from '../../sandbox/temporal-server/server-binary.ts';
import { searchAttributeChoices } from '../../src/domain/search-attributes.ts';
import { findCacheFolder } from '../../src/forms/files.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.ts';
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts';
import { openOwnTemporal, temporalKind } from './own-temporal.ts';
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

/** Starts a server of the kind of this run: a cluster has Temporal's defaults. */
async function startServer(
  binary: string,
  folder: string,
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  if (temporalKind === 'development')
    return await startTemporalServer({ binary, folder, dynamicConfig: { [TIMER_DELAY]: '10ms' } });
  const { address, close } = await openOwnTemporal();
  return { address, stop: close };
}

/** Starts the Temporal server that all tests share; returns its teardown. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const binary = await findServerBinary({ cacheFolder: findCacheFolder(), log: console.log });
  const folder = await createFolder();
  const server = await startServer(binary, folder.path);
  const { connection, close } = openTemporal({ address: server.address, namespace: 'default' });
  await registerSearchAttributes(connection, 'default', searchAttributeChoices.all);
  await close();
  provide('temporalAddress', server.address);
  provide('temporalBinary', binary);
  const workflowBundle = join(folder.path, 'workflows.js');
  const { code } = await bundleWorkflows(findCacheFolder(), new DefaultLogger('ERROR'));
  await writeFile(workflowBundle, code);
  provide('workflowBundle', workflowBundle);
  return async () => {
    await server.stop();
    await folder.remove();
  };
}
