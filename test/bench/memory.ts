import { setTimeout as pause } from 'node:timers/promises';
import { createDocklineProcess } from '../faults/dockline-process.ts';
import { type Arena, openArena } from './arena.ts';
import { openEnvironment } from './contenders.ts';
import { residentMb, watchMemory } from './process-memory.ts';
import type { MemoryResult } from './results.ts';
import { openSender, type Sender } from './sender.ts';
import { createWorkload, type Delivery, type OrderLoad, steps } from './workload.ts';

/** What memory is measured with. */
export interface MemoryOptions {
  readonly temporalBinary: string;
  /** A PostgreSQL server on which a database may be made. */
  readonly postgresServer: string;
  readonly webhooks: number;
  readonly path: string;
  /** How long both are watched after the last answer, in milliseconds. */
  readonly afterMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  readonly say: (line: string) => void;
}

/** As the page on tuning has it for small machines: V8 lets its heap grow into what it may have before it collects. */
const smallHeap = (oldSpaceMb: number) => ({
  NODE_OPTIONS: `--max-semi-space-size=4 --max-old-space-size=${oldSpaceMb}`,
});
const CACHED_WORKFLOWS = 600;

const CONNECTIONS = 64;
/** So many orders are signed ahead: some 3 MB. */
const SIGNED_AHEAD = 256;
const TRIES = 10;
const PATIENCE_MS = 60_000;

/** Sends webhooks as fast as they are answered to Dockline in two processes on PostgreSQL, and watches their memory meanwhile and after. */
export async function measureMemory(options: MemoryOptions): Promise<MemoryResult> {
  const { webhooks, afterMs = 30_000, signal, say } = options;
  await using opened = new AsyncDisposableStack();
  const arena = await openArena(opened, options.temporalBinary);
  const { url, service, worker } = await startProcesses(options, arena, opened);
  const onSend = ({ orderId, step }: Delivery) => arena.warehouse.show(orderId, step);
  const sender = opened.adopt(openSender({ url, connections: CONNECTIONS, onSend, ...(signal && { signal }) }), (it) =>
    it.close(),
  );
  const workload = createWorkload(arena.warehouse);
  await followOne(sender, arena, workload);
  const before = await residentMb(service.pid());
  const watched = [service, worker].map((process) => watchMemory(process.pid()));
  const startedAt = performance.now();
  await sendAll(sender, signAhead(workload, Math.ceil(webhooks / steps.length)));
  say(`memory: ${webhooks} webhooks were taken in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await pause(afterMs, undefined, { ...(signal && { signal }) });
  await Promise.all(watched.map((watch) => watch.close()));
  const [servicePeak = 0, workerPeak = 0] = watched.map((watch) => watch.peak());
  const after = await residentMb(service.pid());
  return {
    webhooks,
    service: { before, peak: servicePeak, after },
    worker: { peak: workerPeak, cachedWorkflows: CACHED_WORKFLOWS },
  };
}

async function startProcesses(options: MemoryOptions, arena: Arena, opened: AsyncDisposableStack) {
  const { env, origin } = await openEnvironment({ ...options, arena, isOnPostgres: true }, opened);
  const settings = { ...env, TEMPORAL_CACHED_WORKFLOWS: String(CACHED_WORKFLOWS) };
  const create = (
    process: { readonly name: string; readonly roles: readonly string[]; readonly readyUrl?: string },
    oldSpaceMb: number,
  ) =>
    opened.adopt(
      createDocklineProcess({ ...process, env: { ...settings, ...smallHeap(oldSpaceMb) }, args: [] }),
      (it) => it.stop(),
    );
  const readyUrl = `${origin}/health/ready`;
  const service = create({ name: 'the service', roles: ['webhook', 'dispatcher'], readyUrl }, 128);
  const worker = create({ name: 'the worker', roles: ['worker'] }, 512);
  await Promise.all([service.start(), worker.start()]);
  return { url: `${origin}/webhooks/warehouse`, service, worker };
}

type Workload = ReturnType<typeof createWorkload>;

/** Has one order followed to its end, so that everything is loaded before anything is measured. */
async function followOne(sender: Sender, { ledger }: Arena, workload: Workload): Promise<void> {
  const orders = await workload.orders(1);
  for (const [first] of orders) ledger.expect(first?.orderId ?? '');
  await sender.paced(orders, 1);
  await ledger.complete(PATIENCE_MS);
  if (ledger.verdict().lost > 0) throw new Error('an order was not followed to its end before memory was measured');
}

/** Signs while what was signed before is sent, so that there is never much of it. */
async function* signAhead(workload: Workload, orders: number): AsyncGenerator<OrderLoad> {
  let coming = workload.orders(Math.min(SIGNED_AHEAD, orders));
  for (let left = orders; left > 0; left -= SIGNED_AHEAD) {
    const slice = await coming;
    coming = workload.orders(Math.min(SIGNED_AHEAD, Math.max(0, left - SIGNED_AHEAD)));
    yield* slice;
  }
}

async function sendAll(sender: Sender, orders: AsyncGenerator<OrderLoad>): Promise<void> {
  const lane = async () => {
    for await (const order of orders) for (const delivery of order) await sendPersistently(sender, delivery);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

/** Sends again what was not taken, as the warehouse does. */
async function sendPersistently(sender: Sender, delivery: Delivery, tries = TRIES): Promise<void> {
  try {
    await sender.send(delivery);
  } catch (error) {
    if (tries === 1 || (error as Error).name === 'AbortError') throw error;
    await pause(500);
    await sendPersistently(sender, delivery, tries - 1);
  }
}
