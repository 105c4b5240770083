import { afterAll, beforeAll, vi } from 'vitest';

// Runs the tests whose course depends on it with retrieving and announcing as regular activities.
// `TEST_ACTIVITIES=regular npx vitest run test/e2e` runs all of them so.
beforeAll(() => void vi.stubEnv('TEST_ACTIVITIES', 'regular'));
afterAll(() => void vi.unstubAllEnvs());
for (const file of ['destinations', 'send-now']) await import(`./${file}.test.ts?regular`);
