import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { compose, composeGood, eventIdOf, type Sign } from './compose.ts';
import { converse, type Received } from './connection.ts';
import { type FuzzedProcess, limits } from './fuzzed-process.ts';
import { type Plan, plans } from './plan.ts';

/** Result of a run. */
export interface Outcome {
  readonly connections: number;
  /** Number of answers by status. */
  readonly answers: Readonly<Record<number, number>>;
  /** Deliveries by the serial number of their connection, with how many of them were acknowledged. */
  readonly acknowledged: ReadonlyMap<number, number>;
  /** Times in which the authentic deliveries beside them were answered, in milliseconds; infinite for other answers than 200. */
  readonly besideMs: readonly number[];
  /** Longest time by which a timer of this process was late, in milliseconds: the machine is that busy. */
  readonly lagMs: number;
  /** Fault that was seen, with the plan. */
  readonly failures: readonly string[];
}

/** Time by which a timer is late only on a machine that is too busy for nginx's time limits, in milliseconds. */
const LATE_MS = limits.idleMs / 5;

/** Number of connections at once. */
const LANES = 24;

/** Number of plans that are made at once; each lot has a seed of its own. */
const LOT = 100;

/** Statuses that may answer; 500 and 502 are not among them. */
const KNOWN: readonly number[] = [100, 200, 400, 401, 404, 405, 408, 411, 413, 414, 429, 501, 503, 505];

/** Number of failures after which a run ends. */
const ENOUGH = 10;

/** Sends arbitrary bytes over connections to the webhook for a time, and authentic deliveries beside them. */
export async function fuzz(
  webhook: Pick<FuzzedProcess, 'url' | 'isRunning'>,
  { seed, seconds, sign }: { readonly seed: number; readonly seconds: number; readonly sign: Sign },
): Promise<Outcome> {
  const answers: Record<number, number> = {};
  const acknowledged = new Map<number, number>();
  const besideMs: number[] = [];
  let lagMs = 0;
  let lateAt = Number.NEGATIVE_INFINITY;
  const failures: string[] = [];
  const isOver = () => performance.now() >= endsAt || failures.length >= ENOUGH || !webhook.isRunning();
  const numbered = enumerate(seed);
  // Makes the first lot of plans, which takes seconds on a busy machine.
  numbered.next();
  const endsAt = performance.now() + seconds * 1000;

  async function send({ serial, lot, plan }: Numbered): Promise<void> {
    const composed = compose(plan, serial, sign);
    const startedAt = performance.now();
    const received = await converse(webhook.url, composed, plan.ending);
    for (const status of received.statuses) answers[status] = (answers[status] ?? 0) + 1;
    acknowledged.set(serial, received.acknowledged);
    const fail = (reason: string) =>
      failures.push(`${reason}: ${fc.stringify([{ seed: lot }, received, plan]).slice(0, 2000)}`);
    if (!received.isInTime) fail('neither answered nor closed in time');
    if (received.statuses.some((status) => !KNOWN.includes(status))) fail('an unknown status');
    // Where this process waits for a processor, nginx may wait for one until its time limits are over.
    if (lateAt < startedAt && !isInPlace(received, composed.sure))
      fail('an authentic delivery was not answered 200 in its place');
  }

  async function lane(): Promise<void> {
    while (!isOver()) await send(numbered.next().value);
  }

  async function sendBeside(): Promise<void> {
    while (!isOver()) {
      const { serial } = numbered.next().value;
      const bytes = composeGood(
        { endpoint: 'hmac', padding: 100, chunks: undefined, headers: ['connection: close'] },
        eventIdOf(serial, 0),
        sign,
      );
      const startedAt = performance.now();
      const received = await converse(webhook.url, { fragments: [{ pauseMs: 0, bytes }], sure: 1 }, 'wait');
      acknowledged.set(serial, received.acknowledged);
      if (received.statuses[0] === 200) besideMs.push(performance.now() - startedAt);
      else if (isPrompt(received) && lateAt < startedAt) besideMs.push(Number.POSITIVE_INFINITY);
      await delay(50);
    }
  }

  async function watchLag(): Promise<void> {
    while (!isOver()) {
      const dueAt = performance.now() + 50;
      await delay(50);
      const lateMs = performance.now() - dueAt;
      lagMs = Math.max(lagMs, lateMs);
      if (lateMs > LATE_MS) lateAt = performance.now();
    }
  }

  await Promise.all([...Array.from({ length: LANES }, lane), sendBeside(), watchLag()]);
  return { connections: acknowledged.size, answers, acknowledged, besideMs, lagMs, failures };
}

/** Reports whether the machine let everything be sent before nginx may take the sender for one that is idle. */
const isPrompt = ({ sentMs }: Received): boolean => sentMs < limits.idleMs;

/** Reports whether the first answers are 200; on a busy machine they may come too slowly, so that one of them is the last, a 408. */
function isInPlace(received: Received, sure: number): boolean {
  const { statuses, acknowledged } = received;
  if (!isPrompt(received)) return true;
  const answers = statuses.filter((status) => status !== 100).slice(0, sure);
  const timeout = answers.indexOf(408);
  if (timeout >= 0) return answers.length === timeout + 1 && acknowledged === timeout;
  return acknowledged >= sure && answers.every((status) => status === 200);
}

interface Numbered {
  readonly serial: number;
  /** Seed of the lot that has the plan. */
  readonly lot: number;
  readonly plan: Plan;
}

function* enumerate(seed: number): Generator<Numbered, never> {
  for (let serial = 0, lot = seed; ; lot += 1)
    for (const plan of fc.sample(plans, { seed: lot, numRuns: LOT })) yield { serial: serial++, lot, plan };
}
