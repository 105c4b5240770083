import { defineConfig } from 'vitest/config';

/** Builds and runs the image, and everything else of `deploy`, with programs that take minutes to build: `npm run test:image`. */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts', 'test/deploy/image/image.ts'],
    globalSetup: ['test/support/postgres.ts', 'test/deploy/image/tools.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
  },
});
