import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFolder } from '../support/temporal-server.ts';

/** Command that ends with the test. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly written: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

type Environment = Readonly<Record<string, string>>;

const cli = join(import.meta.dirname, '../../src/cli');

/** Runs a command of `src/cli/` as npm does, by default where there is no file `.env`. */
export function run(
  command: string,
  args: readonly string[],
  env: Environment = {},
  cwd: string = tmpdir(),
): RunningCommand {
  const child = spawn(process.execPath, ['-r', join(cli, 'preload.cjs'), join(cli, `${command}.ts`), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk;
  });
  return { child, written, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const anyPorts = Object.fromEntries(
  ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'WAREHOUSE_PORT', 'WEBHOOK_PORT', 'ANNOUNCE_PORT', 'ADMIN_PORT'].map((name) => [
    name,
    '0',
  ]),
);

/** Runs `npm start` with a data folder of its own, on any free ports. */
export async function start(args: readonly string[], env: Environment = {}) {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  return { ...run('start', args, { DATA_FOLDER: folder.path, ...anyPorts, ...env }), folder: folder.path };
}

/** Runs `npm run admin` to its end. */
export async function runAdmin(args: readonly string[], env: Environment) {
  const { ended, written } = run('admin', args, env);
  return { code: await ended, ...written };
}
