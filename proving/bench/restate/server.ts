import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locate, startWatchedProcess } from '../../../sandbox/temporal-server/programs.ts';
import { untilReady } from '../../faults/fixture/dockline-process.ts';
import { findPorts } from '../../faults/fixture/ports.ts';

/** Returns why Restate cannot be run here; undefined if it can. */
export async function whyNoRestate(path?: string): Promise<string | undefined> {
  const missing = await locate('restate-server', path).then(() => undefined, String);
  return missing && 'restate-server is not on the PATH (npm install --global @restatedev/restate-server)';
}

/** Addresses of a Restate server, for its users and for its operators. */
interface RestateServer {
  readonly ingressUrl: string;
  readonly adminUrl: string;
}

const READY_WITHIN_MS = 10_000;

/** Starts a Restate server of its own, until the given stack is closed. */
export async function startRestate(opened: AsyncDisposableStack, path?: string): Promise<RestateServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dockline-restate-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const [node, ingress, admin] = (await findPorts(3, randomInt)).map((port) => `127.0.0.1:${port}`);
  const settings = {
    RESTATE_BASE_DIR: folder,
    RESTATE_BIND_ADDRESS: node,
    RESTATE_INGRESS__BIND_ADDRESS: ingress,
    RESTATE_ADMIN__BIND_ADDRESS: admin,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LOG_FILTER: 'error',
  };
  const args = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const server = startWatchedProcess('env', [...args, await locate('restate-server', path)]);
  opened.defer(() => server.stop());
  const [ingressUrl, adminUrl] = [`http://${ingress}`, `http://${admin}`];
  await untilReady(`${ingressUrl}/restate/health`, 'Restate', READY_WITHIN_MS);
  return { ingressUrl, adminUrl };
}
