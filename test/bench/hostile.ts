import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { statusOf } from '../faults/dockline-process.ts';
import type { FloodOptions, FloodOutcome } from './flood.ts';
import type { HostileResult } from './results.ts';
import { openSender, type Sender } from './sender.ts';
import { median, quantile } from './statistics.ts';
import { type OrderLoad, steps } from './workload.ts';

/** What good traffic is measured beside hostile input with. */
export interface HostileOptions {
  readonly webhookUrl: string;
  /** PEM; part of the hostile input is authentic. */
  readonly privateKey: string;
  /** Makes orders that nobody has sent before. */
  readonly orders: (count: number) => Promise<readonly OrderLoad[]>;
  /** How long each phase takes. */
  readonly seconds: number;
  /** How many quiet phases there are, and as many hostile ones; the medians count. */
  readonly rounds?: number;
  readonly say: (line: string) => void;
}

const GOOD_PER_SECOND = 100;
const GOOD_CONNECTIONS = 16;
const ATTACKS_PER_SECOND = 100;
const SLOW_CONNECTIONS = 20;

/**
 * Measures what webhooks wait for their answers, quietly and beside hostile input in turn. Rejects if one of them is not taken, if
 * an attack is not answered as it has to be, or if the webhook is not ready afterwards.
 */
export async function measureHostile(options: HostileOptions): Promise<HostileResult> {
  const { webhookUrl, rounds = 3, say } = options;
  await using opened = new AsyncDisposableStack();
  const sender = opened.adopt(openSender({ url: webhookUrl, connections: GOOD_CONNECTIONS }), (it) => it.close());
  const quiet: number[] = [];
  const hostile: number[] = [];
  let sent = 0;
  // The first seconds of a process are not what is measured.
  await measureGood(sender, { ...options, seconds: options.seconds / 2 });
  for (let round = 1; round <= rounds; round += 1) {
    quiet.push(await measureGood(sender, options));
    const attacked = await whileAttacked({ ...options, firstSerial: sent }, () => measureGood(sender, options));
    hostile.push(attacked.p99Ms);
    sent += attacked.sent;
    say(
      `hostile, round ${round} of ${rounds}: ${quiet.at(-1)?.toFixed(1)} ms, attacked ${attacked.p99Ms.toFixed(1)} ms`,
    );
  }
  await assertReady(webhookUrl);
  const [quietP99Ms, hostileP99Ms] = [median(quiet), median(hostile)];
  return { quietP99Ms, hostileP99Ms, ratio: hostileP99Ms / quietP99Ms, attacks: sent };
}

/** Sends at a fixed rate, whatever the answers take, and returns what the slowest of a hundred took, in milliseconds. */
async function measureGood(
  sender: Sender,
  { orders, seconds }: Pick<HostileOptions, 'orders' | 'seconds'>,
): Promise<number> {
  const count = Math.ceil(seconds * GOOD_PER_SECOND);
  const deliveries = (await orders(Math.ceil(count / steps.length))).flat().slice(0, count);
  const startedAt = performance.now();
  const underWay = deliveries.map(async (delivery, index) => {
    const dueAt = startedAt + (index * 1000) / GOOD_PER_SECOND;
    await pause(Math.max(0, dueAt - performance.now()));
    const sentAt = performance.now();
    await sender.send(delivery);
    return performance.now() - sentAt;
  });
  return quantile(await Promise.all(underWay), 0.99);
}

async function whileAttacked(
  options: Pick<FloodOptions, 'webhookUrl' | 'privateKey' | 'firstSerial' | 'seconds'>,
  measure: () => Promise<number>,
): Promise<{ readonly p99Ms: number; readonly sent: number }> {
  const { webhookUrl, privateKey, firstSerial, seconds } = options;
  const rates = { perSecond: ATTACKS_PER_SECOND, slowConnections: SLOW_CONNECTIONS };
  const workerData: FloodOptions = { webhookUrl, privateKey, firstSerial, seconds, ...rates };
  const attacker = new Worker(new URL('programs/attacker.ts', import.meta.url), { workerData });
  try {
    await once(attacker, 'message');
    const ended = once(attacker, 'message');
    // Told when it is awaited.
    ended.catch(() => {});
    const p99Ms = await measure();
    attacker.postMessage('stop');
    const [{ sent, surprises }] = (await ended) as [FloodOutcome];
    if (surprises.length > 0) throw new Error(`attacks were not answered as they have to be: ${surprises.join('; ')}`);
    return { p99Ms, sent };
  } finally {
    await attacker.terminate();
  }
}

async function assertReady(webhookUrl: string): Promise<void> {
  const status = await statusOf(new URL('/health/ready', webhookUrl).href);
  if (status !== '200') throw new Error(`the webhook is not ready after the attacks: ${status}`);
}
