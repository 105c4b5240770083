import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { createFolder } from '../support/temporal-server.ts';

const run = promisify(execFile);

/** Builds the package into a folder of its own, as a company installs it, beside the examples; returns the folder. */
export async function installConsumer(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await createFolder();
  const installed = join(folder.path, 'node_modules/@dockline/consumer');
  await mkdir(installed, { recursive: true });
  await cp('consumer/package.json', join(installed, 'package.json'));
  await run(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    'consumer',
    '--outDir',
    join(installed, 'dist'),
  ]);
  for (const name of ['express', 'fastify', 'pg']) {
    await symlink(resolve('node_modules', name), join(folder.path, 'node_modules', name));
  }
  for (const name of await readdir('consumer/examples')) {
    await cp(join('consumer/examples', name), join(folder.path, name));
  }
  return folder;
}

/** Example that runs until the test ends. */
export interface RunningExample {
  /** Address of its announcements. */
  readonly url: string;
  /** Returns the ids of the announcements that it printed as taken. */
  taken(): string[];
  /** Ends it. */
  stop(): Promise<void>;
}

/** Starts an example on any free port. */
export async function startExample(folder: string, file: string, secret: string, port = 0): Promise<RunningExample> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = file.endsWith('.py') ? 'python3' : process.execPath;
  const child = spawn(command, [file], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, ANNOUNCE_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const portOf = () => /^listening on .*\b(\d+)$/m.exec(output)?.[1];
  await expect.poll(() => portOf() ?? errors).toMatch(/^\d+$/);
  return {
    url: `http://127.0.0.1:${portOf()}/announcements`,
    taken: () => [...output.matchAll(/^taken (.+)$/gm)].map(([, id = '']) => id),
    async stop() {
      const ended = new Promise((done) => child.once('close', done));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
