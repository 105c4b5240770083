import { defineConfig } from 'vitest/config';
import { limits } from '../../limits.ts';

/** Builds and runs the image, and everything else of `deploy`, with programs that take minutes to build: `npm run test:image`. */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts', 'test/deploy/image/image.ts'],
    globalSetup: ['test/support/postgres.ts', 'test/deploy/image/tools.ts'],
    pool: 'forks',
    ...limits,
  },
});
