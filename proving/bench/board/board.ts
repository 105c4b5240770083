import { randomInt } from 'node:crypto';
import { Pool } from 'undici';
import type { DatabaseName } from '../../faults/fixture/database.ts';
import { findPorts } from '../../faults/fixture/ports.ts';
import { type Environment, openFixture, startContender } from '../fixture.ts';
import { openSender } from '../sender.ts';
import { format, type Measured, medianRatio, quantile, summarize } from '../statistics.ts';
import { createWorkload, steps } from '../workload.ts';
import { openBoards, startBulkResend } from './besides.ts';

/** Time to read each page of the board, and its cost for the webhook in the same process, on one database. */
export interface BoardRow {
  readonly database: DatabaseName;
  /** Number of stored subjects. */
  readonly subjects: number;
  readonly pages: readonly { readonly path: string; readonly p95Ms: number }[];
  /** p99 latency of webhooks alone. */
  readonly aloneP99Ms: Measured;
  readonly beside: readonly BesideRow[];
}

/** p99 latency of webhooks beside something else. */
export interface BesideRow {
  readonly name: string;
  /** Pages that were fetched, or items that were done. */
  readonly done: number;
  readonly p99Ms: Measured;
  /** To the p99 latency alone, in the same round. */
  readonly ratio: number | null;
}

/** Amount of work. */
export interface BoardOptions {
  readonly subjects: number;
  readonly seconds: number;
  readonly rounds: number;
}

const PER_SECOND = 100;
const CONNECTIONS = 16;

/** Time within which the subjects are stored. */
const STORED_WITHIN_MS = 600_000;

/** Times that each page is read. */
const READS = 100;

/** Pages that ten people look at: half of them the first, and the others their lists. */
const open = [
  ...Array.from({ length: 5 }, () => '/board'),
  '/board/subjects?kind=order',
  '/board/subjects?kind=order&stage=packed',
  '/board/subjects?attention=any',
  '/board/quarantine',
  '/board/dead-letters',
];

const pages = [
  '/board',
  '/board/system',
  '/board/quarantine',
  '/board/dead-letters',
  '/board/search?q=118',
  '/board/subjects?kind=order',
  '/board/subjects?kind=order&stage=packed',
  '/board/subjects?kind=order&stage=confirmed',
  '/board/subjects?attention=any',
  '/board/subjects?attention=refused',
  '/board/subjects?kind=order&customer=118',
  '/board/subjects?kind=order&customer=118&stage=confirmed',
  '/board/subjects?kind=item',
  '/board/subjects?tenant=911&kind=order',
  '/status',
  '/subjects?attention=stalled',
  '/subjects?stage=confirmed',
  '/subjects?customer=118',
  '/quarantine',
  '/announcements?state=dead-lettered',
  '/announcements?state=sent',
];

/** Measures the pages and their cost on each database, each in a fresh process. */
export async function measureBoard(options: BoardOptions, environment: Environment): Promise<BoardRow[]> {
  const rows: BoardRow[] = [];
  for (const database of ['sqlite', 'postgres'] as const) {
    if (database === 'postgres' && environment.postgresServer === undefined) continue;
    rows.push(await measureOn(database, options, environment));
  }
  return rows;
}

async function measureOn(
  database: DatabaseName,
  { subjects, seconds, rounds }: BoardOptions,
  environment: Environment,
): Promise<BoardRow> {
  await using opened = new AsyncDisposableStack();
  const fixture = await openFixture(opened, environment.temporalBinary);
  const [adminPort] = await findPorts(1, randomInt);
  const program = new URL('board-process.ts', import.meta.url);
  const env = {
    ADMIN_PORT: String(adminPort),
    BENCH_SUBJECTS: String(subjects),
    WEBHOOK_PUBLIC_KEY: fixture.warehouse.publicKey,
  };
  environment.say(`board, ${database}: storing ${format(subjects)} subjects`);
  const { url } = await startContender(
    { program, database, env, readyWithinMs: STORED_WITHIN_MS },
    { ...environment, fixture },
    opened,
  );
  const origin = `http://127.0.0.1:${adminPort}`;
  const read = [];
  for (const path of pages) {
    const p95Ms = await measurePage(origin, path);
    environment.say(`board, ${database}, ${path}: p95 ${format(p95Ms)} ms`);
    read.push({ path, p95Ms });
  }

  const sender = opened.adopt(openSender({ url, connections: CONNECTIONS }), (it) => it.close());
  const { orders } = createWorkload(fixture.warehouse);
  const send = async (forSeconds: number) =>
    quantile(
      await sender.steady((await orders(Math.ceil((forSeconds * PER_SECOND) / steps.length))).flat(), PER_SECOND),
      0.99,
    );
  // Warms up.
  await send(seconds / 2);
  const alone: number[] = [];
  const others = [
    { name: 'ten open boards', start: () => openBoards(origin, open), done: 0, p99s: [] as number[] },
    { name: 'a bulk resend', start: () => startBulkResend(origin), done: 0, p99s: [] as number[] },
  ];
  for (let round = 1; round <= rounds; round += 1) {
    alone.push(await send(seconds));
    for (const other of others) {
      const running = await other.start();
      other.p99s.push(await send(seconds));
      other.done += await running.stop();
    }
    const figures = others.map(({ name, p99s }) => `beside ${name} ${format(p99s.at(-1) ?? null)} ms`);
    const p99s = [`alone ${format(alone.at(-1) ?? null)} ms`, ...figures].join(', ');
    environment.say(`board, ${database}, round ${round} of ${rounds}: p99 ${p99s}`);
  }
  const beside = others.map(({ name, done, p99s }) => ({
    name,
    done,
    p99Ms: summarize(p99s),
    ratio: medianRatio(p99s, alone),
  }));
  return { database, subjects, pages: read, aloneP99Ms: summarize(alone), beside };
}

async function measurePage(origin: string, path: string): Promise<number> {
  const pool = new Pool(origin, { connections: 1 });
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path });
    await body.dump();
    times.push(performance.now() - startedAt);
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}`);
  }
  await pool.close();
  return quantile(times, 0.95);
}
