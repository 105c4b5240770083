import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pRetry from 'p-retry';
import { startShippedNginx } from '../../../test/support/shipped-nginx.ts';
import { statusOf } from '../../faults/fixture/dockline-process.ts';
import { type Environment, openFixture, startContender } from '../fixture.ts';
import { openSender } from '../sender.ts';
import { format, type Measured, median, quantile, summarize } from '../statistics.ts';
import { createWorkload, steps } from '../workload.ts';
import type { FloodOptions, FloodOutcome } from './flood.ts';
import { type FloodName, floods } from './floods.ts';

/** p99 latency of good webhooks with and without one kind of attack, in milliseconds. */
export interface HostileRow {
  readonly name: string;
  readonly aloneP99Ms: Measured;
  readonly attackedP99Ms: Measured;
  /** Ratio of the medians. */
  readonly ratio: number;
  /** Number of requests, or of connections where those are the attack. */
  readonly attacks: number;
}

/** Webhook endpoint to attack, and the duration and number of the phases. */
export interface HostileOptions {
  readonly program: URL;
  readonly seconds: number;
  readonly rounds: number;
  /** Default: all. */
  readonly attacksBy?: typeof kinds;
}

/** p99 latencies of one round, and the number of attacks. */
interface Pair {
  readonly aloneMs: number;
  readonly attackedMs: number;
  readonly sent: number;
}

const GOOD_PER_SECOND = 100;
const GOOD_CONNECTIONS = 16;
const RATES = { perSecond: 100, slowConnections: 20 };

/** Kinds of attack: the mixture of all single ones, and each flood. */
export const kinds: readonly { readonly name: string; readonly flood: FloodName | undefined }[] = [
  { name: 'every single attack, 100 a second', flood: undefined },
  ...(Object.keys(floods) as FloodName[]).map((flood) => ({ name: flood, flood })),
];

/**
 * Measures the latency of good webhooks alone and beside each kind of attack, in turn. Rejects if a good one is not accepted, an attack
 * is not answered as it must be, or the endpoint is not ready afterwards.
 */
export async function measureHostile(
  { program, seconds, rounds, attacksBy = kinds }: HostileOptions,
  environment: Pick<Environment, 'path' | 'say'>,
): Promise<HostileRow[]> {
  await using opened = new AsyncDisposableStack();
  const fixture = await openFixture(opened);
  // With a pinned key the answer to a forged signature does not depend on when the key was last looked up.
  const env = { WEBHOOK_PUBLIC_KEY: fixture.warehouse.publicKey, WEBHOOK_TRUSTED_PROXIES: '127.0.0.1' };
  const { url: behind } = await startContender({ program, env }, { ...environment, fixture }, opened);
  const webhookUrl = await startShippedNginx(behind, opened);
  const sender = opened.adopt(openSender({ url: webhookUrl, connections: GOOD_CONNECTIONS }), (it) => it.close());
  const { privateKey } = fixture.warehouse;
  const { orders } = createWorkload({ privateKey });
  const sendGood = async (forSeconds: number) => {
    const load = await orders(Math.ceil((forSeconds * GOOD_PER_SECOND) / steps.length));
    return quantile(await sender.steady(load.flat(), GOOD_PER_SECOND), 0.99);
  };

  const rows: HostileRow[] = [];
  let attacks = 0;
  // Warms up.
  await sendGood(seconds / 2);
  for (const { name, flood } of attacksBy) {
    const pairs: Pair[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const aloneMs = await sendGood(seconds);
      const options = { ...RATES, name: flood, webhookUrl, privateKey, seconds, firstSerial: attacks };
      const { result: attackedMs, sent } = await whileAttacked(options, () => sendGood(seconds));
      attacks += sent;
      pairs.push({ aloneMs, attackedMs, sent });
      environment.say(
        `${name}, round ${round} of ${rounds}: p99 ${format(aloneMs)} ms, attacked ${format(attackedMs)} ms`,
      );
    }
    rows.push(toRow(name, pairs));
  }
  await pRetry(() => assertReady(behind), { retries: 3 });
  return rows;
}

async function assertReady(webhookUrl: string): Promise<void> {
  const status = await statusOf(new URL('/health/ready', webhookUrl).href);
  if (status !== '200') throw new Error(`the webhook endpoint is not ready after the attacks: ${status}`);
}

function toRow(name: string, pairs: readonly Pair[]): HostileRow {
  const alone = pairs.map(({ aloneMs }) => aloneMs);
  const attacked = pairs.map(({ attackedMs }) => attackedMs);
  return {
    name,
    aloneP99Ms: summarize(alone),
    attackedP99Ms: summarize(attacked),
    ratio: median(attacked) / median(alone),
    attacks: pairs.reduce((sum, { sent }) => sum + sent, 0),
  };
}

async function whileAttacked<T>(
  workerData: FloodOptions,
  measure: () => Promise<T>,
): Promise<{ readonly result: T; readonly sent: number }> {
  const attacker = new Worker(new URL('flood.ts', import.meta.url), { workerData });
  try {
    await once(attacker, 'message');
    const ended = once(attacker, 'message');
    // Reported when it is awaited.
    ended.catch(() => {});
    const result = await measure();
    attacker.postMessage('stop');
    const [{ sent, surprises }] = (await ended) as [FloodOutcome];
    if (surprises.length > 0) throw new Error(`attacks were not answered as they must be: ${surprises.join('; ')}`);
    return { result, sent };
  } finally {
    await attacker.terminate();
  }
}
