import { createSign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, type AttackTarget, attacks, slowAttacks } from './attacks.ts';
import { exchange, type RawRequest } from './raw-exchange.ts';

/** How a webhook is attacked. */
export interface FloodOptions {
  readonly webhookUrl: string;
  /** PEM; of the warehouse, for what is authentic. */
  readonly privateKey: string;
  readonly perSecond: number;
  /** How long it lasts about, in seconds: what is sent in that time is made before. */
  readonly seconds: number;
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

/**
 * Prepares attacks, each in turn; the function that is returned sends them at a fixed rate, whatever the answers take, and some slow ones
 * all the time, until it is stopped.
 */
export function prepareFlood(options: FloodOptions): (stop: AbortSignal) => Promise<FloodOutcome> {
  const { firstSerial, perSecond, seconds, slowConnections } = options;
  const url = new URL(options.webhookUrl);
  const target: AttackTarget = {
    path: url.pathname,
    sign: (pieces) => {
      const signer = createSign('sha256');
      for (const piece of pieces) signer.update(piece);
      return signer.sign(options.privateKey, 'base64');
    },
  };
  const attackAt = (index: number) => attacks[index % attacks.length] as Attack;
  const compose = (index: number) => attackAt(index).compose(target, firstSerial + index);
  const composed = Array.from({ length: Math.ceil(perSecond * seconds) }, (_, index) => compose(index));

  return async (stop) => {
    const surprises = new Set<string>();
    let sent = 0;

    async function attack({ name, answer }: Attack, request: RawRequest): Promise<void> {
      sent += 1;
      const status = await exchange(url, request, stop);
      if (status !== answer && !stop.aborted) surprises.add(`${name}: ${status ?? 'no answer'} instead of ${answer}`);
    }

    async function attackSlowly(index: number): Promise<void> {
      const slow = slowAttacks[index % slowAttacks.length] as Attack;
      while (!stop.aborted) await attack(slow, slow.compose(target, firstSerial));
    }

    async function attackSteadily(): Promise<void> {
      const startedAt = performance.now();
      const underWay = new Set<Promise<void>>();
      for (let next = 0; !stop.aborted; next += 1) {
        await pause(Math.max(0, startedAt + (next * 1000) / perSecond - performance.now()));
        const one = attack(attackAt(next), composed[next] ?? compose(next)).finally(() => underWay.delete(one));
        underWay.add(one);
      }
      await Promise.all(underWay);
    }

    await Promise.all([
      attackSteadily(),
      ...Array.from({ length: slowConnections }, (_, index) => attackSlowly(index)),
    ]);
    return { sent, surprises: [...surprises] };
  };
}
