import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openSystem, type System, type SystemOptions } from './system.ts';

/**
 * Starts a system that the tests of a group share, for tests that need no fresh one: each works on its own subjects. After each test the
 * warehouse and the destination of the first tenant work again; `receiver.tally()` counts from the start of the test.
 */
export function useSystem(options?: SystemOptions): () => System {
  let system: Awaited<ReturnType<typeof openSystem>>;
  let before = { received: 0, duplicates: 0, outOfOrder: 0 };
  beforeAll(async () => {
    system = await openSystem(options);
  });
  beforeEach(() => {
    before = system.receiver.tally();
  });
  afterEach(() => {
    const { simulator } = system;
    simulator.setFaults({ down: false, forbidden: [], statuses: {}, delaysMs: {}, latencyMs: 0, rateLimitRate: 0 });
    simulator.setFaults({ unauthenticated: false });
    system.receiver.setAnswer(204);
  });
  afterAll(() => system.close());
  const tally = () => {
    const { received, duplicates, outOfOrder } = system.receiver.tally();
    return {
      received: received - before.received,
      duplicates: duplicates - before.duplicates,
      outOfOrder: outOfOrder - before.outOfOrder,
    };
  };
  return () => ({ ...system, receiver: { ...system.receiver, tally } });
}
