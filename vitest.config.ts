import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { limits, longLimits } from './test/limits.ts';
import { createVerdict } from './test/verdict.ts';

/** Whole systems, processes and volume: left out by `npm test`, which has to be short enough to be run after each change. */
const long = '{test,proving}/**/*.long.test.ts';

/** Short tests that need a Temporal server; `npm run test:unit` runs the others. */
const needsTemporal = [
  'test/{cli,e2e,temporal,workflows}/**/*.test.ts',
  'test/admin/{announcements,subjects}.test.ts',
  'test/spec/transitions.test.ts',
];

/** File system in memory, where there is one with room for the databases of all tests: syncs cost nothing there. */
const memory = '/dev/shm';
const hasMemory = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 4 * 2 ** 30;

const postgres = 'test/support/postgres.ts';
const temporal = 'test/support/shared-temporal.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    // Node itself loads TypeScript, as it does for the product, and keeps what it makes of it. `vi.mock` would need `nodeLoader`.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
      ...(hasMemory && { TMPDIR: memory }),
    },
    // Most tests wait for a server or a timer, so that more of them than cores run side by side; not where a quota leaves less than two cores.
    maxWorkers: availableParallelism() > 1 ? 5 : 1,
    reporters: ['default', createVerdict()],
    ...limits,
    projects: [
      project('unit', { include: ['test/**/*.test.ts'], exclude: [long, ...needsTemporal], globalSetup: [postgres] }),
      project('temporal', { include: needsTemporal, exclude: [long], globalSetup: [postgres, temporal] }),
      project('long', { include: [long], globalSetup: [postgres, temporal], ...longLimits }),
    ],
  },
});

function project(name: string, options: object) {
  return { extends: true, test: { name, isolate: false, ...options } } as const;
}
