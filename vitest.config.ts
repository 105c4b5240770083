import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { limits } from './test/limits.ts';

/** Tests that need a Temporal server; `npm run test:unit` runs all others. */
const needsTemporal = [
  'test/{bench,cli,e2e,faults,rehearsals,temporal,workflows}/**/*.test.ts',
  'test/admin/{announcements,refresh,subjects}.test.ts',
  'test/deploy/{package,systemd/confined}.test.ts',
  'test/sandbox/temporal-server/**/*.test.ts',
  'test/spec/transitions.test.ts',
];

/** File system in memory, where there is one with room for the databases of all tests: syncs cost nothing there. */
const memory = '/dev/shm';
const hasMemory = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 4 * 2 ** 30;

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
    ...limits,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: needsTemporal,
          globalSetup: ['test/support/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'temporal',
          isolate: false,
          include: needsTemporal,
          globalSetup: ['test/support/postgres.ts', 'test/support/shared-temporal.ts'],
        },
      },
    ],
  },
});
