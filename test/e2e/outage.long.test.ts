import { expect, it } from 'vitest';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { startSystem } from '../support/system.ts';

it('an outage of Temporal while webhooks arrive delays their announcements and loses none', async () => {
  const temporal = await startOwnTemporal();
  const { simulator, receiver, service } = await startSystem({ temporalAddress: temporal.address });
  const before = simulator.createOrder();
  await simulator.emit(before, 'OrderCreate');
  await expect.poll(() => receiver.tally().received).toBe(1);

  const board = async () => await (await fetch(`${service().admin.url}/board`)).text();
  expect(await board()).toContain('Nothing is wrong');
  await temporal.stop();
  await simulator.play({ orders: 5, scenarios: ['straight'] });
  await expect.poll(() => board()).toMatch(/Temporal does not answer.*Webhooks are accepted and wait/s);
  expect(await board()).not.toContain('Nothing is wrong');
  expect(simulator.counts().undelivered).toBe(0);
  expect((await fetch(new URL('/health/ready', service().webhook.url))).status).toBe(200);
  expect(receiver.tally().received).toBe(1);

  await temporal.start();
  await expect.poll(() => board()).not.toContain('Temporal does not answer');
  const expected = simulator.truth().flatMap(({ events }) => events).length;
  await expect.poll(() => receiver.tally()).toEqual({ received: expected, duplicates: 0, outOfOrder: 0 });
});
