/** Factor of all limits, for a slow or busy machine: `TEST_PATIENCE=10 npm test`. */
export const patience = Number(process.env.TEST_PATIENCE ?? 1);

const seconds = (count: number): number => patience * count * 1000;

/** Limits that end a test which hangs. They measure nothing: a wait ends when what it waits for happens. */
export const limits = {
  testTimeout: seconds(60),
  hookTimeout: seconds(60),
  teardownTimeout: seconds(20),
  expect: { poll: { timeout: seconds(20) } },
};

/** Limits of long tests, which run whole systems and demonstrations. */
export const longLimits = {
  ...limits,
  testTimeout: seconds(300),
  hookTimeout: seconds(300),
  expect: { poll: { timeout: seconds(100) } },
};

/**
 * Variables of a Dockline that tests run: a machine with other things to do must not look like a warehouse that does not answer, whose
 * records are then left out of announcements, or like a receiver that does not, which then gets them twice.
 */
export const patientCalls = {
  WAREHOUSE_TIMEOUT_MS: '30000',
  ANNOUNCE_TIMEOUT_MS: '30000',
};
