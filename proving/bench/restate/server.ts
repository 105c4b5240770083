import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { locate, startWatchedProcess } from '../../../sandbox/temporal-server/programs.ts';
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

const TRIES = 100;
const BETWEEN_MS = 100;

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
  for (let tries = 0; !(await isReady(`${ingressUrl}/restate/health`)); tries += 1) {
    if (tries === TRIES) throw new Error('Restate is not ready');
    await pause(BETWEEN_MS);
  }
  return { ingressUrl, adminUrl };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
