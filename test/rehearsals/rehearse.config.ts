import { defineConfig } from 'vitest/config';

/** Rehearses every runbook with the commands of the documents: `npm run rehearse`. */
export default defineConfig({
  test: {
    include: ['test/rehearsals/*.{test,rehearsal}.ts'],
    globalSetup: ['test/support/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
  },
});
