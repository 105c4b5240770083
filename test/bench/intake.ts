import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Arena, openArena } from './arena.ts';
import { type ContenderName, startContender } from './contenders.ts';
import type { Extent } from './extent.ts';
import { figure } from './figure.ts';
import { requestOf, sendRaw } from './raw-load.ts';
import type { IntakeResult } from './results.ts';
import { medianRatio } from './rounds.ts';
import { summarize } from './statistics.ts';
import { naming, type Surroundings } from './surroundings.ts';
import { createWorkload, steps } from './workload.ts';

const CONNECTIONS = 64;
const PATH = '/webhooks/warehouse';

type Taking = Extract<ContenderName, 'bare' | 'sqliteWebhook' | 'postgresWebhook'>;

/** What each contender is sent: the same bytes, signed before. */
interface Load {
  readonly arena: Arena;
  readonly warmUp: readonly Buffer[];
  readonly requests: readonly Buffer[];
}

/** Measures the webhook alone: each contender takes the same requests in a fresh process with fresh data, once a round. */
export async function measureIntake(
  surroundings: Surroundings,
  { rounds, intake }: Pick<Extent, 'rounds' | 'intake'>,
): Promise<Omit<IntakeResult, 'p99Ms'>> {
  await using opened = new AsyncDisposableStack();
  const load = await prepare(intake, opened);
  const speeds: Record<Taking, number[]> = { bare: [], sqliteWebhook: [], postgresWebhook: [] };
  const taking: Taking[] = [
    'bare',
    'sqliteWebhook',
    ...(surroundings.hasPostgres ? (['postgresWebhook'] as const) : []),
  ];
  for (let round = 1; round <= rounds; round += 1) {
    // Whoever comes first finds another machine than the last.
    for (const name of round % 2 === 1 ? taking : taking.toReversed()) {
      const speed = await naming(`intake, ${name}`, () => speedOf(name, load, surroundings));
      speeds[name].push(speed);
      surroundings.say(`intake, round ${round} of ${rounds}, ${name}: ${figure(speed)} requests a second`);
    }
  }
  return toResult(speeds);
}

function toResult({ bare, sqliteWebhook, postgresWebhook }: Readonly<Record<Taking, readonly number[]>>) {
  const hasPostgres = postgresWebhook.length > 0;
  return {
    ratio: medianRatio(sqliteWebhook, bare),
    ratioPostgres: hasPostgres ? medianRatio(postgresWebhook, bare) : null,
    requestsPerSecond: {
      bare: summarize(bare),
      sqlite: summarize(sqliteWebhook),
      postgres: hasPostgres ? summarize(postgresWebhook) : null,
    },
  };
}

async function prepare({ requests, warmUp }: Extent['intake'], opened: AsyncDisposableStack): Promise<Load> {
  const arena = await openArena(opened);
  const orders = await createWorkload(arena.warehouse).orders(Math.ceil((requests + warmUp) / steps.length));
  const all = orders.flat().map((delivery) => requestOf(delivery, PATH));
  return { arena, warmUp: all.slice(0, warmUp), requests: all.slice(warmUp, warmUp + requests) };
}

async function speedOf(name: Taking, { arena, warmUp, requests }: Load, surroundings: Surroundings): Promise<number> {
  const { postgresServer, path, signal } = surroundings;
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(arena.folder, `${name}-`));
  const options = { arena: { ...arena, folder }, postgresServer, path };
  const { webhookUrl } = await startContender(name, options, opened);
  await sendRaw(webhookUrl, warmUp, CONNECTIONS);
  signal.throwIfAborted();
  return await sendRaw(webhookUrl, requests, CONNECTIONS);
}
