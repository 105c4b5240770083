import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/postgres.ts'],
    pool: 'forks',
    // Most tests wait for a server or a timer, so that more of them than cores run side by side.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Beside other tests, on two cores, what takes milliseconds can take seconds.
    expect: { poll: { timeout: 20_000 } },
  },
});
