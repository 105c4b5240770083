import { defineConfig } from 'vitest/config';

/** Tests that need a Temporal server; `npm run test:unit` runs all others. */
const needsTemporal = [
  'test/{bench,cli,e2e,faults,temporal,workflows}/**/*.test.ts',
  'test/admin/{announcements,refresh,subjects}.test.ts',
  'test/sandbox/temporal-server/**/*.test.ts',
  'test/spec/transitions.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Most tests wait for a server or a timer, so that more of them than cores run side by side.
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Beside other tests, on two cores, what takes milliseconds can take seconds.
    expect: { poll: { timeout: 40_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: needsTemporal,
          globalSetup: ['test/support/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'temporal',
          include: needsTemporal,
          globalSetup: ['test/support/postgres.ts', 'test/support/shared-temporal.ts'],
        },
      },
    ],
  },
});
