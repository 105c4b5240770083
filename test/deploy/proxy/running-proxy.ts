import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findPort } from '../../../sandbox/temporal-server/port.ts';
import { writeNginx } from '../../support/shipped-nginx.ts';
import { createAuthority } from '../../support/temporal-proxy.ts';
import { createFolder } from '../../support/temporal-server.ts';

/** Addresses of Dockline to which a proxy leads. */
export interface Behind {
  readonly webhook: string;
  readonly board: string;
}

/** Proxy of which `deploy/proxy` has an example. */
export interface Proxy {
  readonly name: 'nginx' | 'caddy';
  /** Writes the files of a test to a folder, and returns the command that runs it. */
  prepare(folder: string, shipped: string, port: number): Promise<readonly string[]>;
  readonly example: string;
}

const nginx: Proxy = {
  name: 'nginx',
  example: 'nginx.conf',
  async prepare(folder, shipped, port) {
    const authority = await createAuthority();
    const { cert, key } = await authority.sign('*.example.com');
    await writeFile(join(folder, 'certificate.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    const site = shipped.replaceAll('listen 443', `listen 127.0.0.1:${port}`).replaceAll('/etc/ssl/dockline', folder);
    return await writeNginx(folder, site);
  },
};

const caddy: Proxy = {
  name: 'caddy',
  example: 'Caddyfile',
  async prepare(folder, shipped, port) {
    // Certificates of its own authority instead of public ones.
    const options = `{\n admin off\n local_certs\n skip_install_trust\n auto_https disable_redirects\n https_port ${port}\n default_bind 127.0.0.1\n`;
    await writeFile(join(folder, 'Caddyfile'), shipped.replace(/^\{\n/m, options));
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  },
};

/** The proxies with an example, each with whether it is installed. */
export const proxies = [nginx, caddy].map((proxy) => ({
  ...proxy,
  isInstalled: spawnSync(proxy.name, ['-v']).error === undefined,
}));

/** Answer of a proxy. */
export interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Runs a proxy with its example, before a Dockline at other ports, until the test ends. */
export async function startProxy(proxy: Proxy, behind: Behind) {
  const folder = await createFolder();
  const port = await findPort(0, '');
  await mkdir(join(folder.path, 'home'));
  const shipped = readFileSync(join('deploy/proxy', proxy.example), 'utf8')
    .replaceAll('127.0.0.1:3000', new URL(behind.webhook).host)
    .replaceAll('127.0.0.1:3001', new URL(behind.board).host);
  const [program = '', ...args] = await proxy.prepare(folder.path, shipped, port);
  const home = join(folder.path, 'home');
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await folder.remove();
  });
  const ask = (url: string, options: Options = {}) => send(port, new URL(url), options);
  // Caddy issues its certificates after it has begun to listen.
  for (const name of ['hooks', 'board']) {
    const status = async () =>
      (await ask(`https://${name}.example.com/nothing`).catch(() => ({ status: said }))).status;
    await expect.poll(status).toBe(404);
  }
  return ask;
}

/** Options of a request; `from` is the address of the sender. */
interface Options extends RequestOptions {
  readonly from?: string;
  readonly payload?: string | Buffer;
}

/** Sends a request to one of the names of a proxy. */
function send(
  port: number,
  { hostname, pathname, search }: URL,
  { from = '127.0.0.1', payload, headers, ...options }: Options,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path: pathname + search,
      servername: hostname,
      localAddress: from,
      headers: { host: hostname, ...headers },
      rejectUnauthorized: false,
      agent: false,
      ...options,
    });
    call.on('response', (response) => {
      let body = '';
      const answer = () => resolve({ status: response.statusCode, headers: response.headers, body });
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', answer);
    });
    call.on('error', reject);
    call.end(payload);
  });
}
