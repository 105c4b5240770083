import { vi } from 'vitest';

// The same tests with retrieving and announcing as regular activities. The long ones run so by hand: TEST_ACTIVITIES=regular
// before `npx vitest run test/e2e`.
vi.stubEnv('TEST_ACTIVITIES', 'regular');
for (const file of [
  'arrival',
  'dead-destination',
  'every-event',
  'transactions',
  'trouble',
  'warehouse-faults',
  'whole-life',
]) {
  await import(`./${file}.test.ts`);
}
