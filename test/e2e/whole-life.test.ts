import { describe, expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';

describe('a whole life', () => {
  it('is announced event by event, once and in order', async () => {
    const { simulator, receiver, announced, view } = await startSystem();
    const orderId = simulator.createOrder();
    const life = [
      'OrderCreate',
      'OrderFullyAllocated',
      'OrderPickJobDone',
      'OrderPackStarted',
      'OrderPackComplete',
      'OrderConfirm',
    ] as const;
    for (const name of life) {
      const before = announced(orderId).length;
      await simulator.emit(orderId, name);
      await expect.poll(() => announced(orderId).length, { timeout: 20_000 }).toBeGreaterThan(before);
    }
    expect(announced(orderId)).toEqual([
      '1/created',
      '2/fullyAllocated',
      '3/picked',
      '4/packStarted',
      '5/packed',
      '6/confirmed',
    ]);
    expect(receiver.tally()).toEqual({ received: 6, duplicates: 0, outOfOrder: 0 });
    expect(await view(orderId)).toMatchObject({
      stage: 'confirmed',
      attention: null,
      waiting: { events: 0, announcements: 0 },
    });
  });
});
