import { lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import { messageOf } from '../domain/errors.ts';
import { readTextFile } from '../forms/files.ts';
import { UsageError } from './usage-error.ts';

/** For the audit log. A user id without an entry, as a container may have, names itself. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

const DEFAULT_FILE = '.env';

let loadedFile: string | undefined;

/** Default: `.env` in the working directory. The environment takes precedence. */
export function loadEnvFile(program: Command): void {
  const { config = DEFAULT_FILE } = program.opts<{ readonly config?: string }>();
  if (lstatSync(config, { throwIfNoEntry: false }) === undefined) {
    if (config === DEFAULT_FILE) return;
    throw new UsageError(`--config ${config}: there is no such file`);
  }
  for (const [name, value] of Object.entries(parseEnv(read(config)))) process.env[name] ??= value;
  loadedFile = config;
}

export const describeEnvironment = (): string =>
  loadedFile === undefined ? 'the environment, without a file .env' : `the environment and the file ${loadedFile}`;

function read(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new Error(`${path} cannot be read as a file of variables: ${messageOf(error)}`, { cause: error });
  }
}
