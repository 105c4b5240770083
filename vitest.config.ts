import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { limits, longLimits } from './test/limits.ts';
import { createVerdict } from './test/verdict.ts';

/** Whole systems, processes and volume: left out by `npm test`, which has to be short enough to be run after each change. */
const long = '{test,proving}/**/*.long.test.ts';

/** Short tests that need a Temporal server; `npm run test:unit` runs the others. */
const needsTemporal = [
  'test/{cli,e2e,temporal,workflows}/**/*.test.ts',
  'test/destinations/announcements.test.ts',
  'test/subjects/subjects.test.ts',
  'test/spec/transitions.test.ts',
];

/** Files with more cases, or another engine, than a short run has the time for. */
const thorough = globSync('test/**/*.test.ts').filter((path) =>
  /describeOn(Either|All)|numRuns: runs/.test(readFileSync(path, 'utf8')),
);

/** Files that last longest. Where nothing is known of an earlier run, files run by their size, and these are small: they would be left for the end, beside an idle processor. */
const slow = [
  'test/app/isolation/leaks.test.ts',
  'test/warehouse/client/pages.test.ts',
  'test/destinations/announcements/data-schema.test.ts',
  'test/cli/start-errors.test.ts',
  'test/e2e/every-event.test.ts',
  'test/cli/start.long.test.ts',
  'test/admin/views/many.long.test.ts',
  'test/cli/dockline.long.test.ts',
  'test/e2e/alerts.long.test.ts',
  'test/e2e/quiet-faults.long.test.ts',
  'test/e2e/regular.long.test.ts',
  'proving/faults/faults.long.test.ts',
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((path) => moduleId.endsWith(`/${path}`));
    const { true: first = [], false: others = [] } = Object.groupBy(
      await super.sort(files),
      (file) => `${isSlow(file)}`,
    );
    return [...first, ...others];
  }
}

const stores = ['test/support/temporary-folder.ts', 'test/support/postgres.ts'];
const servers = [...stores, 'test/support/shared-temporal.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // Node itself loads TypeScript, as it does for the product, and keeps what it makes of it. `vi.mock` would need `nodeLoader`.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
    },
    // Most tests wait for a server or a timer, so that more of them than cores run side by side; not where a quota leaves less than two cores.
    maxWorkers: availableParallelism() > 1 ? 5 : 1,
    reporters: ['default', createVerdict()],
    sequence: { sequencer: SlowFirst },
    ...limits,
    projects: [
      project('unit', { include: ['test/**/*.test.ts'], exclude: [long, ...needsTemporal], globalSetup: stores }),
      project('temporal', { include: needsTemporal, exclude: [long], globalSetup: servers }),
      project('thorough', {
        include: thorough,
        exclude: [long],
        globalSetup: servers,
        env: { TEST_THOROUGH: 'yes' },
      }),
      project('long', { include: [long], globalSetup: servers, ...longLimits }),
    ],
  },
});

function project(name: string, options: object) {
  return { extends: true, test: { name, isolate: false, ...options } } as const;
}
