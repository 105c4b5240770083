/**
 * Program that downloads an archive of Temporal's CLI, verifies its SHA-256 and unpacks the CLI into a folder: `<folder> <url> <sha256>`.
 * It runs as a process of its own, so that it can be stopped at any moment. Proxies of the environment are used.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, exit, stderr } from 'node:process';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { locate, run } from './programs.ts';

const [, , folder = '.', url = '', expected = ''] = argv;
try {
  const answer = await fetch(url, { dispatcher: new EnvHttpProxyAgent() });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const archive = Buffer.from(await answer.arrayBuffer());
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== expected) throw new Error(`${url} has the SHA-256 ${actual} instead of ${expected}`);
  const file = join(folder, 'archive.tar.gz');
  await writeFile(file, archive);
  await run(await locate('tar'), ['-xzf', file, '-C', folder, 'temporal']);
} catch (error) {
  const { message, cause } = error as Error;
  stderr.write(`Error: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}\n`);
  exit(1);
}
