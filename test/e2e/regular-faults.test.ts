import { vi } from 'vitest';

// Runs tests with retrieving and announcing as regular activities, as does regular.test.ts.
vi.stubEnv('TEST_ACTIVITIES', 'regular');
for (const file of ['interventions', 'missing-parts', 'warehouse-faults']) await import(`./${file}.test.ts`);
