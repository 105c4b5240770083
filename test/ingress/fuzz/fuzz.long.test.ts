import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { env } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/app/store.ts';
import { longLimits } from '../../limits.ts';
import { temporaryFile } from '../../store/temporary-store.ts';
import { startShippedNginx, whyNoNginx } from '../../support/shipped-nginx.ts';
import { compose, composeGood, eventIdOf, type Plan, plans } from './plan.ts';
import { BODY_BYTES, type Report } from './webhook-options.ts';

/** A few seconds with a seed of their own, unless the environment says otherwise: an hour is `FUZZ_SECONDS=3600 npm run fuzz`. */
const seconds = Number(env.FUZZ_SECONDS ?? 4);
const seed = Number(env.FUZZ_SEED ?? randomInt(2 ** 31));

/** Resident memory that a process may have, in bytes: what it has at rest, the bodies in flight, and garbage. */
const MEMORY_LIMIT = 500_000_000;

/** Time after the last byte within which a connection is closed: every limit of nginx, and a margin far beyond for a busy machine. */
const CLOSED_MS = 125_000;

/** Number of connections at once. */
const LANES = 24;

/** Number of failures after which a run ends. */
const ENOUGH = 10;

/** Statuses that may answer; 500 and 502 are not among them. */
const KNOWN: readonly number[] = [100, 200, 400, 401, 404, 405, 408, 411, 413, 414, 429, 501, 503, 505];

/** Gives nginx limits of seconds, so that connections end soon. */
const impatient = (site: string): string =>
  site
    .replace(/client_max_body_size .*;/, `client_max_body_size ${BODY_BYTES};`)
    .replace(/client_header_timeout .*;/, 'client_header_timeout 1500ms; keepalive_timeout 500ms;')
    .replace(/client_body_timeout .*;/, 'client_body_timeout 3000ms; lingering_timeout 500ms;');

/** Starts the webhook over a SQLite file. */
async function startWebhook(file: string) {
  const program = fileURLToPath(new URL('webhook-process.ts', import.meta.url));
  const process = fork(program, [file], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(process, 'exit');
  onTestFinished(() => void process.kill('SIGKILL'));
  const lines: string[] = [];
  let peakBytes = 0;
  const { promise: url, resolve } = Promise.withResolvers<string>();
  process.on('message', ({ url: own, line, residentBytes = 0 }: Report) => {
    if (own) resolve(own);
    if (line) lines.push(line);
    peakBytes = Math.max(peakBytes, residentBytes);
  });
  return {
    url: await Promise.race([url, exited.then(() => Promise.reject(new Error('the webhook ended')))]),
    lines,
    peakBytes: () => peakBytes,
    isRunning: () => process.exitCode === null && process.signalCode === null,
    /** Kills it, so that only what is on disk remains. */
    async kill() {
      process.kill('SIGKILL');
      await exited;
    },
  };
}

/** Sends bytes over a new connection, and resolves once the server has closed it. */
async function converse(
  url: string,
  fragments: readonly { readonly pauseMs: number; readonly bytes: Uint8Array }[],
  ending: Plan['ending'] = 'wait',
) {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), noDelay: true });
  const chunks: Buffer[] = [];
  // The server may close or reset it at any time.
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)));
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  for (const { pauseMs, bytes } of fragments) {
    if (pauseMs > 0) await Promise.race([delay(pauseMs), closed]);
    if (bytes.length > 0 && socket.writable) socket.write(bytes);
  }
  if (ending === 'reset') socket.resetAndDestroy();
  if (ending === 'half-close') socket.end();
  const timer = new AbortController();
  const isInTime = await Promise.race([closed, delay(CLOSED_MS, false, { signal: timer.signal }).catch(() => false)]);
  timer.abort();
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { statuses, acknowledged: text.split('{"status":"accepted"}').length - 1, isInTime };
}

/** Says what is wrong with the answers to a connection. */
function faultOf({ good, mutations, ending }: Plan, { statuses, isInTime }: Awaited<ReturnType<typeof converse>>) {
  if (!isInTime) return 'neither answered nor closed in time';
  if (statuses.some((status) => !KNOWN.includes(status))) return 'an unknown status';
  if (mutations.length > 0 || ending !== 'wait') return undefined;
  // Those that come too slowly, as on a busy machine, are answered 408.
  const answers = statuses.filter((status) => status !== 100).slice(0, good.length);
  return answers.every((status) => status === 200 || status === 408)
    ? undefined
    : 'an authentic delivery was not answered 200 in its place';
}

/** Makes connections, with the seed of the hundred that each is of. */
function* enumerate() {
  for (let serial = 0, lot = seed; ; lot += 1)
    for (const plan of fc.sample(plans, { seed: lot, numRuns: 100 })) yield { serial: serial++, lot, plan };
}

/** Sends arbitrary bytes over connections for a time, and authentic deliveries beside them. */
async function fuzz(url: string, isRunning: () => boolean) {
  const acknowledged = new Map<number, number>();
  const besideMs: number[] = [];
  const failures: string[] = [];
  const numbered = enumerate();
  // Makes the first plans, which takes seconds on a busy machine.
  numbered.next();
  const endsAt = performance.now() + seconds * 1000;
  const isOver = () => performance.now() >= endsAt || failures.length >= ENOUGH || !isRunning();
  const next = () => numbered.next().value as { serial: number; lot: number; plan: Plan };

  async function lane(): Promise<void> {
    while (!isOver()) {
      const { serial, lot, plan } = next();
      const received = await converse(url, compose(plan, serial), plan.ending);
      acknowledged.set(serial, received.acknowledged);
      const fault = faultOf(plan, received);
      if (fault) failures.push(`${fault}: ${fc.stringify([{ seed: lot }, received, plan]).slice(0, 2000)}`);
    }
  }

  async function sendBeside(): Promise<void> {
    while (!isOver()) {
      const { serial } = next();
      const bytes = composeGood({ padding: 100, header: 'connection: close' }, eventIdOf(serial, 0));
      const startedAt = performance.now();
      const received = await converse(url, [{ pauseMs: 0, bytes }]);
      acknowledged.set(serial, received.acknowledged);
      if (received.acknowledged === 1) besideMs.push(performance.now() - startedAt);
      else if (received.statuses[0] !== 408) failures.push(`beside: ${received.statuses}`);
      await delay(50);
    }
  }

  await Promise.all([...Array.from({ length: LANES }, lane), sendBeside()]);
  return { failures, besideMs, acknowledged };
}

/** Returns the serial numbers of the connections of which an acknowledged delivery is not in the store. */
async function findLost(file: string, acknowledged: ReadonlyMap<number, number>): Promise<number[]> {
  const store = await openStore({ file });
  const rows = await store.db.selectFrom('inbox').select('event_id').execute();
  await store.close();
  const stored = new Set(rows.map(({ event_id }) => event_id));
  const countOf = (serial: number) => [0, 1, 2].filter((index) => stored.has(eventIdOf(serial, index))).length;
  return [...acknowledged].filter(([serial, count]) => countOf(serial) < count).map(([serial]) => serial);
}

it.skipIf(await whyNoNginx())(
  'arbitrary bytes are answered or closed in time, cost bounded memory, delay no authentic webhook, and lose none',
  { timeout: seconds * 1000 + longLimits.testTimeout },
  async () => {
    const file = temporaryFile();
    const { url: webhook, lines, peakBytes, isRunning, kill } = await startWebhook(file);
    const opened = new AsyncDisposableStack();
    onTestFinished(() => opened.disposeAsync());
    const url = await startShippedNginx(webhook, opened, impatient);
    const { failures, besideMs, acknowledged } = await fuzz(url, isRunning);
    const isStillRunning = isRunning();
    await kill();
    const slowestMs = besideMs.reduce((a, b) => Math.max(a, b), 0);
    console.info('fuzzed:', { seed, seconds, connections: acknowledged.size, slowestMs, peakBytes: peakBytes() });
    expect(failures).toEqual([]);
    expect(isStillRunning).toBe(true);
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
    expect(besideMs.length).toBeGreaterThan(0);
    // Beside the rest of the suite the machine decides how late an answer is.
    expect(slowestMs).toBeLessThan(env.FUZZ_SECONDS ? 5000 : Number.POSITIVE_INFINITY);
    expect(peakBytes()).toBeLessThan(MEMORY_LIMIT);
    expect(await findLost(file, acknowledged)).toEqual([]);
  },
);
