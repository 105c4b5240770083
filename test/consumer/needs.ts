import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Program that an example needs beside this project: its name, and the command that reports whether it is there. */
export type Needs = readonly [name: string, command: string, ...args: string[]];

/** Go without the network: its modules are those that `go mod download` has brought. */
export const goEnvironment = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };

/** Returns what the program in Go of a folder needs. */
export const needsOfGo = (folder: string): Needs => [
  `Go 1.25 with the modules of ${folder}`,
  'go',
  ...['-C', folder, 'list', '-deps', '.'],
];

/** Reports whether what an example needs is there; says so otherwise. */
export function isThere(file: string, [name, command, ...args]: Needs): boolean {
  if (spawnSync(command, args, { env: goEnvironment }).status === 0) return true;
  console.warn(`Tests of the example ${file} are skipped: ${name} is missing.`);
  return false;
}

/** Builds the program in Go of a folder; returns its path. */
export async function buildGo(folder: string): Promise<string> {
  await promisify(execFile)('go', ['build', '-o', 'program', '.'], { cwd: folder, env: goEnvironment });
  return join(folder, 'program');
}
