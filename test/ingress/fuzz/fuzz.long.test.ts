import { randomInt } from 'node:crypto';
import { env } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/app/store.ts';
import { longLimits } from '../../limits.ts';
import { temporaryFile } from '../../store/temporary-store.ts';
import { startShippedNginx, whyNoNginx } from '../../support/shipped-nginx.ts';
import { startKeyServer } from '../key-server.ts';
import { eventIdOf } from './compose.ts';
import { fuzz, type Outcome } from './fuzz.ts';
import { impatient, startFuzzedProcess } from './fuzzed-process.ts';

/** A few seconds with a seed of their own, unless the environment says otherwise: an hour is `FUZZ_SECONDS=3600 npm run fuzz`. */
const seconds = Number(env.FUZZ_SECONDS ?? 4);
const seed = Number(env.FUZZ_SEED ?? randomInt(2 ** 31));

/** Resident memory that a process may have, in bytes: what it has at rest, the bodies in flight, and garbage. */
const MEMORY_LIMIT = 500_000_000;

/** Returns the serial numbers of the connections of which an acknowledged delivery is not in the store. */
async function findLost(file: string, { acknowledged }: Outcome): Promise<number[]> {
  const store = await openStore({ file });
  const rows = await store.db.selectFrom('inbox').select('event_id').execute();
  await store.close();
  const stored = new Set(rows.map(({ event_id }) => event_id));
  const countOf = (serial: number) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((index) => stored.has(eventIdOf(serial, index))).length;
  return [...acknowledged].filter(([serial, count]) => countOf(serial) < count).map(([serial]) => serial);
}

it.skipIf(await whyNoNginx())(
  'arbitrary bytes are answered or closed in time, cost bounded memory, delay no authentic webhook, and lose none',
  {
    timeout: seconds * 1000 + longLimits.testTimeout,
  },
  async () => {
    const [file, { baseUrl, sign }] = [temporaryFile(), await startKeyServer()];
    const webhook = await startFuzzedProcess(file, baseUrl);
    onTestFinished(() => webhook.kill());
    const opened = new AsyncDisposableStack();
    onTestFinished(() => opened.disposeAsync());
    const url = await startShippedNginx(webhook.url, opened, impatient);
    const outcome = await fuzz({ ...webhook, url }, { seed, seconds, sign });
    const isRunning = webhook.isRunning();
    await webhook.kill();
    const { failures, besideMs, connections, answers } = outcome;
    const slowestMs = besideMs.reduce((a, b) => Math.max(a, b));
    // A busy machine delays either process.
    const delayMs = Math.max(outcome.lagMs, webhook.stalledMs());
    const peakBytes = webhook.peakBytes();
    const beside = besideMs.length;
    console.info('fuzzed:', { seed, seconds, connections, answers, beside, slowestMs, delayMs, peakBytes });
    expect(failures).toEqual([]);
    expect(isRunning).toBe(true);
    expect(webhook.lines.filter((line) => line.startsWith('error'))).toEqual([]);
    expect(beside).toBeGreaterThan(0);
    // Beside the rest of the suite the machine decides how late an answer is; one that never came is infinitely late.
    const limitMs = env.FUZZ_SECONDS ? 1000 + 3 * delayMs : Number.POSITIVE_INFINITY;
    expect(slowestMs).toBeLessThan(limitMs);
    expect(peakBytes).toBeLessThan(MEMORY_LIMIT);
    expect(await findLost(file, outcome)).toEqual([]);
  },
);
