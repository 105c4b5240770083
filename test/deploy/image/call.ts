import { spawnSync } from 'node:child_process';

/** Runs a program to its end and returns what it prints; throws if it fails. */
export function call(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}

/** Reports whether a program runs and succeeds. */
export const works = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;
