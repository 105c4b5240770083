import { createSign } from 'node:crypto';
import { constants, platform, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Attack, type AttackTarget, attacks, slowAttacks } from './attacks.ts';
import { type FloodName, floods } from './floods.ts';
import { exchange, type RawRequest } from './raw-exchange.ts';

/** Data of the worker thread. */
export interface FloodOptions {
  /** Flood to run; undefined for the mixture of all attacks. */
  readonly name: FloodName | undefined;
  readonly webhookUrl: string;
  /** PEM of the warehouse's key. */
  readonly privateKey: string;
  readonly perSecond: number;
  /** Expected duration in seconds; attacks for that long are composed ahead. */
  readonly seconds: number;
  readonly slowConnections: number;
  /** First serial, so that no two floods send the same delivery. */
  readonly firstSerial: number;
}

/** Result of a flood. */
export interface FloodOutcome {
  readonly sent: number;
  /** Attacks that were answered with another status than they must be. */
  readonly surprises: readonly string[];
}

/*
 * Worker thread: reports when it is ready, and attacks until it receives a message and each attack was answered once. It has less priority where threads have their
 * own, on Linux: sending attacks must not delay the answers that are timed. With the lowest it would not come to run at all on a busy machine.
 */
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const { name, webhookUrl, privateKey, perSecond, seconds, slowConnections, firstSerial } = workerData as FloodOptions;
const url = new URL(webhookUrl);
const target: AttackTarget = {
  path: url.pathname,
  sign(pieces) {
    const signer = createSign('sha256');
    for (const piece of pieces) signer.update(piece);
    return signer.sign(privateKey, 'base64');
  },
};
const attackAt = (index: number) => attacks[index % attacks.length] as Attack;
const composed = Array.from({ length: name ? 0 : Math.ceil(perSecond * seconds) }, (_, index) => compose(index));
const surprises = new Set<string>();
let sent = 0;

/** Longest wait for a flood to begin, or for each single attack to be answered once: a busy machine may have left this thread no time. */
const BEGIN_MS = 600_000;

/** Addresses from which the mixture comes: each also sends what is authentic, so that no limit of one answers in place of the endpoint. */
const ADDRESSES = 8;

/** Requests or connections that show that a flood has begun. */
const ENOUGH = 50;

const begun = Promise.withResolvers<void>();
let answered = 0;

const stopping = new AbortController();
const stop = stopping.signal;
parentPort?.once('message', async () => {
  await Promise.race([begun.promise, pause(BEGIN_MS)]);
  stopping.abort();
});
parentPort?.postMessage('ready');
await (name ? floods[name]({ url, stop, count }) : attackInEveryWay());
parentPort?.postMessage({ sent, surprises: [...surprises] } satisfies FloodOutcome);

function count(more: number): void {
  sent += more;
  if (sent > ENOUGH) begun.resolve();
}

function compose(index: number): RawRequest {
  return attackAt(index).compose(target, firstSerial + index);
}

async function attack({ name: attackName, answer }: Attack, request: RawRequest): Promise<void> {
  sent += 1;
  const status = await exchange(url, request, { signal: stop, from: `127.0.1.${1 + (sent % ADDRESSES)}` });
  if (status !== answer && !stop.aborted) surprises.add(`${attackName}: ${status ?? 'no answer'} instead of ${answer}`);
}

async function attackInEveryWay(): Promise<void> {
  await Promise.all([attackSteadily(), ...Array.from({ length: slowConnections }, (_, index) => attackSlowly(index))]);
}

async function attackSlowly(index: number): Promise<void> {
  const slow = slowAttacks[index % slowAttacks.length] as Attack;
  while (!stop.aborted) await attack(slow, slow.compose(target, firstSerial));
}

/** Keeps its rate however long the answers take. */
async function attackSteadily(): Promise<void> {
  const startedAt = performance.now();
  const pending = new Set<Promise<void>>();
  for (let next = 0; !stop.aborted; next += 1) {
    await pause(Math.max(0, startedAt + (next * 1000) / perSecond - performance.now()));
    const one = attack(attackAt(next), composed[next] ?? compose(next)).finally(() => {
      pending.delete(one);
      answered += 1;
      if (answered === attacks.length) begun.resolve();
    });
    pending.add(one);
  }
  await Promise.all(pending);
}
