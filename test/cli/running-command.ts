import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFolder } from '../support/temporal-server.ts';

/** Command that runs in a folder of its own and ends with the test. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly written: { stdout: string; stderr: string };
  readonly folder: string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

const anyPorts = Object.fromEntries(
  ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'WAREHOUSE_PORT', 'WEBHOOK_PORT', 'ANNOUNCE_PORT', 'ADMIN_PORT'].map((name) => [
    name,
    '0',
  ]),
);

/** Starts `npm start`. */
export async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCommand> {
  const folder = await createFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/cli/start.ts'), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_FOLDER: folder.path, ...anyPorts, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await folder.remove();
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk;
  });
  return { child, written, folder: folder.path, ended: once(child, 'close').then(([code]) => code as number | null) };
}
