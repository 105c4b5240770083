import { defineConfig } from 'vitest/config';

/** Records the histories that must replay: `npm run record-histories`. */
export default defineConfig({
  test: {
    include: ['test/workflows/record-histories.ts'],
    globalSetup: ['test/support/shared-temporal.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
  },
});
