import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EmbeddedServerOptions, startEmbeddedServer } from '../../sandbox/temporal-server/embedded-server.ts';
import { searchAttributes } from '../../src/domain/search-attributes.ts';

/** Creates a temporary folder; returns its path and a function that removes it. */
export async function createFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'dockline-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Creates a folder that is removed when the test ends; returns its path. */
export async function openFolder(): Promise<string> {
  const { path, remove } = await createFolder();
  onTestFinished(remove);
  return path;
}

/** Starts a Temporal server for one test, by default on free ports and with the namespace `default`. */
export async function startTemporalServer(
  options: Pick<EmbeddedServerOptions, 'binary' | 'folder'> & Partial<EmbeddedServerOptions>,
) {
  return await startEmbeddedServer({
    port: 0,
    uiPort: 0,
    namespace: 'default',
    searchAttributes,
    log: console.log,
    ...options,
  });
}
