import { describe, expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';

describe('an announcement that its destination never accepts', () => {
  it('is dead-lettered and visible, does not hold up later ones, and is resent on request', async () => {
    const { simulator, receiver, announced, view, service, workflowId } = await startSystem({
      env: { ANNOUNCE_FOR_MS: '2500' },
    });
    receiver.setAnswer(503);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(async () => (await view(orderId)).attention).toEqual(['unannounced']);
    const { db } = service().store;
    const deadLettered = await db.selectFrom('outbox').select(['announcement as id', 'dead_letter_reason']).execute();
    const id = `${workflowId(orderId)}/1/created`;
    expect(deadLettered).toEqual([{ id, dead_letter_reason: expect.stringMatching(/^POST http\S+ answered 503$/) }]);

    receiver.setAnswer(204);
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toEqual(['2/fullyAllocated']);
    expect((await view(orderId)).attention).toEqual(['unannounced']);

    const resend = await fetch(`${service().admin.url}/announcements/${id}/resend`, { method: 'POST' });
    expect(resend.status).toBe(202);
    await expect.poll(() => announced(orderId)).toEqual(['2/fullyAllocated', '1/created']);
    await expect.poll(async () => (await view(orderId)).attention).toEqual([]);
  });
});
