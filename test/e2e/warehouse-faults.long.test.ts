import { describe, expect, it } from 'vitest';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

const shared = useSystem();

describe('while the warehouse misbehaves', () => {
  it('a revoked token is renewed once', async () => {
    const { simulator, announced } = shared();
    const tokens = () => simulator.counts().calls.token ?? 0;
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    const before = tokens();
    simulator.revokeTokens();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/fullyAllocated']);
    expect(tokens()).toBe(before + 1);
  });

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
