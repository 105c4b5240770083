import { describe, expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';

describe('while the warehouse misbehaves', () => {
  it('errors and slow answers of all kinds delay announcements but lose none', async () => {
    const { simulator, announced, receiver } = await startSystem({
      simulator: {
        faults: { errorRate: 0.1, rateLimitRate: 0.1, retryAfterSeconds: null, latencyMs: 50, tokenToo: true },
      },
    });
    await simulator.play({ orders: 6, scenarios: ['straight'] });
    expect(simulator.counts().undelivered).toBe(0);
    const expected = simulator.truth().flatMap(({ events }) => events).length;
    await expect.poll(() => receiver.tally().received).toBe(expected);
    for (const { id, events } of simulator.truth()) {
      // A webhook is sent again, after later ones, if the public key could not be fetched.
      expect(
        announced(id)
          .map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''))
          .sort(),
      ).toEqual(events.map(({ milestone }) => milestone).sort());
    }
  });
});
