import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pRetry from 'p-retry';
import { findPort } from '../../sandbox/temporal-server/port.ts';
import { locate, startWatchedProcess } from '../../sandbox/temporal-server/programs.ts';

/** Example of nginx as it is shipped. */
const SITE = fileURLToPath(new URL('../../deploy/proxy/nginx.conf', import.meta.url));

/** Writes a site to a folder of its own, with what its first lines ask for, and returns the command that runs it. */
export async function writeNginx(folder: string, site: string): Promise<readonly [string, ...string[]]> {
  await writeFile(join(folder, 'site.conf'), site);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`);
  // Its workers write large bodies to the folder.
  const asRoot = process.getuid?.() === 0 ? 'user root; ' : '';
  await writeFile(
    join(folder, 'nginx.conf'),
    `${asRoot}daemon off; pid ${folder}/pid; error_log stderr; worker_processes auto; worker_rlimit_nofile 20000; events { worker_connections 10000; } http { access_log off; ${paths.join(' ')} include site.conf; }`,
  );
  return ['nginx', '-p', folder, '-c', 'nginx.conf'];
}

/** Returns the reason why no nginx can be started; undefined if one can. */
export async function whyNoNginx(path?: string): Promise<string | undefined> {
  const missing = await locate('nginx', path).then(() => undefined, String);
  return missing && 'nginx is not installed (apt-get install nginx-light)';
}

/** Starts nginx with the shipped example before a webhook, without TLS, which none of its limits needs. `edit` changes the example. */
export async function startShippedNginx(
  webhook: string,
  opened: AsyncDisposableStack,
  edit: (site: string) => string = (site) => site,
): Promise<string> {
  const { host, pathname } = new URL(webhook);
  const folder = await mkdtemp(join(tmpdir(), 'dockline-nginx-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await findPort(0, '');
  const site = readFileSync(SITE, 'utf8')
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replaceAll('127.0.0.1:3000', host);
  const [program, ...args] = await writeNginx(folder, edit(site));
  const nginx = opened.adopt(startWatchedProcess(program, args), (it) => it.stop());
  const failed = nginx.exited.then(({ stderr }) => Promise.reject(new Error(`nginx ended: ${stderr}`)));
  failed.catch(() => {});
  const origin = `http://127.0.0.1:${port}`;
  await Promise.race([failed, pRetry(() => fetch(origin), { retries: 3_000, minTimeout: 20, maxTimeout: 200 })]);
  return origin + pathname;
}
