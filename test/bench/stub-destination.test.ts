import { describe, expect, it, onTestFinished } from 'vitest';
import type { Announced } from './ledger.ts';
import { startStubDestination } from './stub-destination.ts';

async function open() {
  const told: Announced[] = [];
  const destination = await startStubDestination((announced) => told.push(announced));
  onTestFinished(() => destination.close());
  const post = (body: object) => fetch(destination.url, { method: 'POST', body: JSON.stringify(body) });
  return { ...destination, told, post };
}

describe('the stub destination', () => {
  it('understands announcements of Dockline and of the textbook', async () => {
    const { post, told } = await open();
    expect(
      (await post({ id: 'order:1:7/1/created', data: { id: '7', milestone: 'created', revision: 1 } })).status,
    ).toBe(204);
    expect((await post({ orderId: '8', milestone: 'picked' })).status).toBe(204);
    expect(told).toEqual([
      { orderId: '7', milestone: 'created' },
      { orderId: '8', milestone: 'picked' },
    ]);
  });

  it('answers after its latency', async () => {
    const { behave, post } = await open();
    behave({ latencyMs: 60 });
    const startedAt = performance.now();
    expect((await post({ orderId: '8', milestone: 'picked' })).status).toBe(204);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
  });
});
