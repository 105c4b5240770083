import { existsSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** File system in memory, where there is one with room for the databases of all tests: syncs cost nothing there. */
const MEMORY = '/dev/shm';
const hasMemory = existsSync(MEMORY) && statfsSync(MEMORY).bavail * statfsSync(MEMORY).bsize > 4 * 2 ** 30;

/** Gives a run a temporary folder of its own; its teardown removes whatever a killed process left there. */
export async function setup(): Promise<() => Promise<void>> {
  const before = process.env.TMPDIR;
  const folder = await mkdtemp(join(hasMemory && before === undefined ? MEMORY : tmpdir(), 'dockline-test-'));
  // Programs that run as another user where the tests are root write into it, too.
  await chmod(folder, 0o1777);
  process.env.TMPDIR = folder;
  return async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true });
  };
}
