import { describe, expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';

/** Asks for a longer wait than any test takes. */
const later = { 'retry-after': '900' };

describe('what waits for its next try', () => {
  it('is sent at once and once, in order, whether the wait is asked for or a retry', async () => {
    const { simulator, receiver, announced, service, tenants } = await startSystem({ tenants: [{}] });
    const tenant = tenants[0]?.tenant;
    const { db } = service().store;
    const ask = async (path: string) => {
      const response = await fetch(`${service().admin.url}${path}`, { method: 'POST' });
      return { status: response.status, body: await response.json() };
    };
    const attempts = async () =>
      (await db.selectFrom('outbox').select('attempts').orderBy('revision').execute()).map((it) => it.attempts);
    const destination = `/destinations/${tenant}/default`;

    expect(await ask(`${destination}/send-now`)).toMatchObject({
      status: 409,
      body: { detail: 'Nothing waits for it.' },
    });
    receiver.setAnswer(500, later);
    const id = simulator.createOrder();
    await simulator.emit(id, 'OrderCreate');
    await expect.poll(attempts).toEqual([1]);
    await simulator.emit(id, 'OrderFullyAllocated');
    await expect.poll(attempts).toEqual([1, 0]);
    expect(await ask(`${destination}/send-now`)).toMatchObject({ status: 202, body: { waiting: 2 } });
    // It is behind the first, which is tried and fails again.
    await expect.poll(attempts).toEqual([2, 0]);

    await ask(`${destination}/pause`);
    expect(await ask(`${destination}/send-now`)).toMatchObject({
      status: 409,
      body: { detail: 'Nothing is sent to default, which is paused: resume it first.' },
    });
    await ask(`${destination}/resume`);
    await expect.poll(async () => (await attempts())[0]).toBeGreaterThan(2);

    receiver.setAnswer(204);
    expect(await ask(`${destination}/send-now`)).toMatchObject({ status: 202, body: { waiting: 2 } });
    await expect.poll(() => announced(id)).toEqual(['1/created', '2/fullyAllocated']);
    expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
    // The workflow knows that nothing is left.
    await simulator.emit(id, 'OrderPackComplete');
    await expect.poll(() => announced(id)).toHaveLength(3);
  });
});
