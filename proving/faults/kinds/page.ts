import { setTimeout as pause } from 'node:timers/promises';
import { engines, type Fault, FaultError, perRound } from '../fault.ts';

/** Time for which a listing is on its way, in milliseconds. */
const DELAY_MS = 1000;

/** Patience until there is a listing of several orders, and time between two looks, in milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** Orders that move at once, so that they wait for their turns together. */
const MANY = { orders: 15, receipts: 0, adjustments: 0, assemblies: 0, items: 0, stock: 0, holds: 0, concurrency: 15 };

/** Kills what retrieves while the answer for many orders at once is on its way to it. */
export const killDuringPage: Fault = {
  name: 'kill-during-page',
  description: 'the processes that retrieve are killed while one answer for many orders is on its way',
  needs: engines,
  mayRepeat: true,
  inject: async () => ({ args: [], env: { WAREHOUSE_CALLS_PER_SECOND: '5' } }),
  run: perRound(async ({ fixture: { simulator, service, workers }, signal, say }) => {
    const before = simulator.counts().calls.getOrders ?? 0;
    simulator.setFaults({ delaysMs: { getOrders: DELAY_MS } });
    const playing = simulator.play(MANY);
    const until = Date.now() + PATIENCE_MS;
    while ((simulator.counts().calls.getOrders ?? 0) === before) {
      if (Date.now() > until) throw new FaultError('no orders were asked for together');
      await pause(LOOK_EVERY_MS, undefined, { signal });
    }
    const targets = workers.length > 0 ? workers : [service];
    await Promise.all(targets.map((target) => target.kill()));
    say(`killed ${targets.map(({ name }) => name).join(', ')} while a listing was on its way`);
    simulator.setFaults({ delaysMs: {} });
    await Promise.all(targets.map((target) => target.start()));
    await playing;
    return undefined;
  }),
};
