import { describe, expect, it } from 'vitest';
import { everyEvent, openDeliveries, openReceiver, openSimulator } from '../open.ts';

const fates = (simulator: Awaited<ReturnType<typeof openSimulator>>) =>
  simulator.truth().flatMap(({ events }) => events.map(({ fate }) => fate));

describe('the sender', () => {
  it('resends the same bytes until it gets a 20x', async () => {
    const { simulator, received } = await openDeliveries({ answer: (index) => [503, 302, 404, 202][index] ?? 500 });
    await simulator.emit(simulator.createOrder(), 'OrderCreate');
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(simulator.counts()).toMatchObject({
      sent: 4,
      answered: { 503: 1, 302: 1, 404: 1, 202: 1 },
      undelivered: 0,
    });
    expect(fates(simulator)).toEqual(['delivered']);
  });

  it('waits 3 seconds for an answer before it retries', async () => {
    const { simulator, received } = await openDeliveries({ answer: (index) => (index === 0 ? null : 200) });
    const start = performance.now();
    await simulator.emit(simulator.createOrder(), 'OrderCreate');
    expect(performance.now() - start).toBeGreaterThan(2900);
    expect(received).toHaveLength(2);
    expect(simulator.counts().answered).toEqual({ none: 1, 200: 1 });
  });

  it('gives up after 24 attempts', async () => {
    const { simulator, received } = await openDeliveries({ retryIntervalMs: 1, answer: () => 503 });
    const event = await simulator.emit(simulator.createOrder(), 'OrderCreate');
    expect(received).toHaveLength(24);
    expect(simulator.counts().undelivered).toBe(1);
    expect(fates(simulator)).toEqual(['undelivered']);
    expect(await simulator.deliver(event)).toBe(503);
  });

  it('delivers to every record that the event concerns', async () => {
    const simulator = await openSimulator();
    const one = await openReceiver();
    const other = await openReceiver();
    simulator.setWebhooks([
      { ...everyEvent('Order', one.url), scope: '418' },
      { ...everyEvent('Order', other.url), events: ['OrderConfirm'] },
    ]);
    const ours = simulator.createOrder({ customerId: 418 });
    const theirs = simulator.createOrder({ customerId: 419 });
    for (const orderId of [ours, theirs]) {
      await simulator.emit(orderId, 'OrderCreate');
      await simulator.emit(orderId, 'OrderConfirm');
    }
    expect(one.received.map(({ message }) => message.eventType)).toEqual(['OrderCreate', 'OrderConfirm']);
    expect(other.received.map(({ message }) => JSON.parse(message.data).OrderId)).toEqual([ours, theirs]);
    expect(fates(simulator)).toEqual(['delivered', 'delivered', 'dropped', 'delivered']);
  });

  it('makes no attempt after the simulator is closed', async () => {
    // Longer than a test may take, so that a sender that does not stop is noticed.
    const { simulator, received } = await openDeliveries({ retryIntervalMs: 3_600_000, answer: () => 503 });
    const emitted = simulator.emit(simulator.createOrder(), 'OrderCreate');
    await expect.poll(() => simulator.counts().answered).toEqual({ 503: 1 });
    await simulator.close();
    await emitted;
    expect(received).toHaveLength(1);
    expect(fates(simulator)).toEqual(['undelivered']);
  });

  it('closes while it waits for a destination', async () => {
    const { simulator, received } = await openDeliveries({ answer: () => null });
    const played = simulator.play({ orders: 3 });
    await expect.poll(() => received.length).toBe(3);
    await simulator.close();
    await played;
    // None was given the time in which a destination may answer.
    expect(simulator.counts()).toMatchObject({ sent: 3, answered: {} });
  });
});
