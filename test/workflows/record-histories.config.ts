import { defineConfig } from 'vitest/config';
import { longLimits } from '../limits.ts';

/** Records the histories that must replay: `npm run record-histories`. */
export default defineConfig({
  test: {
    include: ['test/workflows/record-histories.ts'],
    globalSetup: ['test/support/shared-temporal.ts'],
    pool: 'forks',
    ...longLimits,
  },
});
