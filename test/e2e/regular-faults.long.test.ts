import { afterAll, beforeAll, vi } from 'vitest';

// Runs tests with retrieving and announcing as regular activities, as does regular.long.test.ts.
beforeAll(() => void vi.stubEnv('TEST_ACTIVITIES', 'regular'));
afterAll(() => void vi.unstubAllEnvs());
for (const file of ['interventions', 'missing-parts', 'warehouse-faults'])
  await import(`./${file}.long.test.ts?regular`);
