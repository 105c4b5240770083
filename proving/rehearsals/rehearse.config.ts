import { defineConfig } from 'vitest/config';
import { longLimits } from '../../test/limits.ts';

/** Rehearses every runbook with the commands of the documents: `npm run rehearse`. */
export default defineConfig({
  test: {
    include: ['proving/rehearsals/*.rehearsal.ts'],
    globalSetup: ['test/support/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    ...longLimits,
  },
});
