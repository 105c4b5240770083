import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheFolder } from '../../src/forms/files.ts';

/** Programs that the tests of `deploy` use, as Go modules. */
const sources = {
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
} as const;

/** Name of such a program. */
export type GoProgram = keyof typeof sources;

const folder = findCacheFolder();

const cached = (name: GoProgram): string => join(folder, `${name}-${sources[name].split('@').at(-1)}`);

const isOnPath = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;

/** Finds a program on the PATH, or where `buildGoPrograms` has put it. */
export function findGoProgram(name: GoProgram): string | undefined {
  if (isOnPath(name)) return name;
  return existsSync(cached(name)) ? cached(name) : undefined;
}

/** Builds the programs that are not at hand, where there is Go; Helm takes some minutes. */
export async function buildGoPrograms(): Promise<void> {
  for (const [name, source] of Object.entries(sources) as [GoProgram, string][]) {
    if (findGoProgram(name) || !isOnPath('go')) continue;
    process.stderr.write(`Building ${source}.\n`);
    await mkdir(folder, { recursive: true });
    const building = await mkdtemp(join(folder, 'building-'));
    await promisify(execFile)('go', ['install', source], { env: { ...process.env, GOBIN: building } });
    await rename(join(building, name), cached(name));
    await rm(building, { recursive: true });
  }
}
