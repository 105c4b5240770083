import { vi } from 'vitest';

// Runs the tests whose course depends on it with retrieving and announcing as regular activities. `TEST_ACTIVITIES=regular npx vitest run
// test/e2e` runs all of them so.
vi.stubEnv('TEST_ACTIVITIES', 'regular');
for (const file of ['arrival', 'dead-destination', 'interventions', 'lifecycle', 'warehouse-faults']) {
  await import(`./${file}.test.ts`);
}
