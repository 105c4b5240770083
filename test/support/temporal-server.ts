import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchAttributes } from '../../src/domain/search-attributes.ts';
import { type EmbeddedServerOptions, startEmbeddedServer } from '../../src/sandbox/temporal-server/embedded-server.ts';

/** A new folder of the system's temporary one, and its removal. */
export async function createFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'dockline-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts a Temporal server of the test's own: free ports and the namespace `default`, where not said otherwise. */
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
