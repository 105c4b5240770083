/** Factor of all limits, for a machine that is slower still: `TEST_PATIENCE=10 npm test`. */
const patience = Number(process.env.TEST_PATIENCE ?? 1);

/**
 * Limits of tests. They end a test that hangs, and measure nothing: a wait ends when what it waits for happens, which takes milliseconds
 * here and half a minute on a slow machine with other things to do; a whole demonstration takes minutes there.
 */
export const limits = {
  testTimeout: patience * 900_000,
  hookTimeout: patience * 900_000,
  expect: { poll: { timeout: patience * 300_000 } },
};

/**
 * Variables of a Dockline that tests run: a machine with other things to do must not look like a warehouse that does not answer, whose
 * records are then left out of announcements, or like a receiver that does not, which then gets them twice.
 */
export const patientCalls = {
  WAREHOUSE_TIMEOUT_MS: '30000',
  WAREHOUSE_PART_TIMEOUT_MS: '30000',
  ANNOUNCE_TIMEOUT_MS: '30000',
};
