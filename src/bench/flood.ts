import { sign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type AttackTarget, attacks, slowAttacks } from './attacks.ts';
import { exchange } from './raw-exchange.ts';

/** How a webhook is attacked. */
export interface FloodOptions {
  readonly webhookUrl: string;
  /** PEM; of the warehouse, for what is authentic. */
  readonly privateKey: string;
  readonly perSecond: number;
  /** How many connections send slowly. */
  readonly slowConnections: number;
  /** Numbers what is sent from here, so that no two floods send the same. */
  readonly firstSerial: number;
}

/** What came of it. */
export interface FloodOutcome {
  readonly sent: number;
  /** Names of attacks that were not answered as they have to be, with the answers. */
  readonly surprises: readonly string[];
}

/** Sends every attack in turn at a fixed rate, whatever the answers take, and some slow ones all the time, until it is stopped. */
export async function flood(options: FloodOptions, stop: AbortSignal): Promise<FloodOutcome> {
  const url = new URL(options.webhookUrl);
  const target: AttackTarget = {
    path: url.pathname,
    sign: (body) => sign('sha256', body, options.privateKey).toString('base64'),
  };
  const surprises = new Set<string>();
  let sent = 0;

  async function attack({ name, answer, compose }: Attack): Promise<void> {
    const serial = options.firstSerial + sent;
    sent += 1;
    const status = await exchange(url, compose(target, serial), stop);
    if (status !== answer && !stop.aborted) surprises.add(`${name}: ${status ?? 'no answer'} instead of ${answer}`);
  }

  async function attackSlowly(index: number): Promise<void> {
    while (!stop.aborted) await attack(slowAttacks[index % slowAttacks.length] as Attack);
  }

  async function attackSteadily(): Promise<void> {
    const startedAt = performance.now();
    const underWay = new Set<Promise<void>>();
    for (let next = 0; !stop.aborted; next += 1) {
      await pause(Math.max(0, startedAt + (next * 1000) / options.perSecond - performance.now()));
      const one = attack(attacks[next % attacks.length] as Attack).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  }

  await Promise.all([attackSteadily(), ...Array.from({ length: options.slowConnections }, (_, i) => attackSlowly(i))]);
  return { sent, surprises: [...surprises] };
}
