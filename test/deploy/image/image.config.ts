import { defineConfig } from 'vitest/config';
import { longLimits } from '../../limits.ts';

/** Builds and runs the image, and everything else of `deploy`, with programs that take minutes to build: `npm run test:image`. */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts', 'test/deploy/image/image.ts'],
    globalSetup: ['test/support/postgres.ts', 'test/deploy/image/tools.ts'],
    pool: 'forks',
    ...longLimits,
  },
});
