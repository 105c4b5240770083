import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createAdminClient, readTarget } from '../../src/cli/admin/client.ts';
import { createAdminCommand } from '../../src/cli/admin/commands.ts';
import { execute } from '../../src/cli/command.ts';
import { patientCalls } from '../limits.ts';
import { openFolder } from '../support/temporal-server.ts';

/** Command that ends with the test. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly written: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

type Environment = Readonly<Record<string, string>>;

const program = join(import.meta.dirname, '../../src/cli/dockline.cjs');

/** Runs a command of `dockline`, by default where there is no file `.env`. */
export function run(
  command: string,
  args: readonly string[],
  env: Environment = {},
  cwd: string = tmpdir(),
): RunningCommand {
  const child = spawn(process.execPath, [program, command, ...args], {
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

/** Variables by which a command takes free ports. */
export const anyPorts = Object.fromEntries(
  [
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
    'WAREHOUSE_PORT',
    'WEBHOOK_PORT',
    'ANNOUNCE_PORT',
    'ADMIN_PORT',
    'MAILBOX_PORT',
  ].map((name) => [name, '0']),
);

/** Runs `npm start` with a data folder of its own, on any free ports. */
export async function start(args: readonly string[], env: Environment = {}) {
  const folder = await openFolder();
  return {
    ...run('start', args, { DATA_FOLDER: folder, ...anyPorts, ...patientCalls, ...env }),
    folder: folder,
  };
}

/** Runs `dockline admin` to its end, in this process: starting one for each call took most of the time of these tests. */
export async function runAdmin(args: readonly string[], env: Environment) {
  let stdout = '';
  const output = new Writable({
    write(chunk, _encoding, done) {
      stdout += chunk;
      done();
    },
  });
  const command = createAdminCommand(
    createAdminClient(() => readTarget(env)),
    output,
  );
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    const failure = await execute(command, args);
    return {
      code: failure?.exitCode ?? process.exitCode,
      stdout,
      stderr: failure ? `dockline: ${failure.message}\n` : '',
    };
  } finally {
    process.exitCode = before;
  }
}
