/**
 * Limits of tests. They end a test that hangs, and measure nothing: a wait ends when what it waits for happens, which takes milliseconds
 * here and half a minute on a slow machine with other things to do.
 */
export const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 150_000 } },
};
