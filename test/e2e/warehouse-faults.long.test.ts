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

  it('the Retry-After of a 429 is waited out', async () => {
    const { simulator, announced } = shared();
    const calls = () => simulator.counts().calls.getOrder ?? 0;
    const before = calls();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    simulator.setFaults({ rateLimitRate: 1, retryAfterSeconds: 2 });
    const startedAt = Date.now();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(calls).toBeGreaterThan(before);
    simulator.setFaults({ rateLimitRate: 0 });
    await expect.poll(() => announced(orderId)).toContain('2/created');
    // Temporal's own first backoff is one second.
    const repeated = calls() - before - 1;
    expect(repeated).toBeGreaterThan(0);
    expect(Date.now() - startedAt).toBeGreaterThan(2000 * repeated);
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

describe('an order', () => {
  it('that stays too long in a stage is announced as stalled, and as resumed when it moves on', async () => {
    const { simulator, announced, view } = await startSystem({ env: { ORDER_STAGE_LIMITS: 'created=500' } });
    const orderId = simulator.createOrder({ customerId: 420 });
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/stalled']);
    await expect.poll(() => view(orderId)).toMatchObject({ stage: 'created', attention: ['stalled'] });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/stalled', '3/fullyAllocated', '4/resumed']);
    await expect.poll(async () => (await view(orderId)).attention).toEqual([]);
  });
});
