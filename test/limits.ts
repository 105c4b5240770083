/** Factor of all limits, for a machine that is slower still: `TEST_PATIENCE=10 npm test`. */
const patience = Number(process.env.TEST_PATIENCE ?? 1);

/**
 * Limits of tests. They end a test that hangs, and measure nothing: a wait ends when what it waits for happens, which takes milliseconds
 * here and half a minute on a slow machine with other things to do.
 */
export const limits = {
  testTimeout: patience * 300_000,
  hookTimeout: patience * 300_000,
  expect: { poll: { timeout: patience * 150_000 } },
};
