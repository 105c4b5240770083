import { setTimeout as pause } from 'node:timers/promises';
import { engines, type Fault } from '../fault.ts';
import { untilAnnounced } from './announced.ts';

/** Time between two orders whose webhook is lost, in milliseconds. */
const LOST_EVERY_MS = 2_000;

/** Several intervals between sweeps. */
const FOUND_WITHIN_MS = 120_000;

/** Webhooks of new orders are lost: reconciliation finds the orders. There is no other load, of which it would find what is on its way. */
export const webhooksLost: Fault = {
  name: 'webhooks-lost',
  description: 'the webhooks of new orders are lost',
  needs: engines,
  mayRepeat: false,
  told: ['reconciliation-differences'],
  inject: async () => ({ args: [], env: { RECONCILE_EVERY_MS: '20000', RECONCILE_GRACE_MS: '0' } }),

  async run(context) {
    const { fixture, say, untilHealthy, endure, settle, signal } = context;
    const { simulator } = fixture;
    await untilHealthy();
    say(this.description);
    const over = endure().then(() => true);
    const ids: string[] = [];
    do {
      const id = simulator.createOrder();
      ids.push(id);
      await simulator.emit(id, 'OrderCreate', { deliver: false });
    } while (!(await Promise.race([over, pause(LOST_EVERY_MS, false, { signal })])));
    await untilAnnounced(context, { ids, milestone: 'created', withinMs: FOUND_WITHIN_MS });
    for (const id of ids) await simulator.emit(id, 'OrderConfirm');
    await settle();
  },
};
