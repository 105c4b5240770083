import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';
import type { ActivityDeps, Announcement, Destination } from '../../activities/ports.ts';
import { createAnnouncement } from '../../src/announcements/cloud-event.ts';
import { DocklineError } from '../../src/domain/errors.ts';
import { createDispatcher, type Dispatcher } from '../../src/inbox/dispatcher.ts';
import { createPatrol } from '../../src/inbox/patrol.ts';
import type { Entry } from '../../src/inbox/rows.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { collectLines, Outage } from './dispatching.ts';
import { type Life, mortal, newLife } from './mortal.ts';
import { createTemporal } from './temporal-model.ts';

/** How a destination behaves: it may be away, take what it does not acknowledge, or refuse every other announcement. */
export type DestinationMode = 'well' | 'away' | 'mute' | 'refuses';

/** How long something may take before the patrol looks at it, in milliseconds. */
export const AFTER_MS = 5000;

/** Dockline on a store in memory, between a model of Temporal and a destination, in a time that passes only when it is told to. */
export async function openWorld() {
  vi.useFakeTimers({
    fakeNodeBuiltins: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const store = await openStore({ file: ':memory:' });
  const { destination, sent } = createDestination();
  let worker = employ(store, destination);
  let process: { readonly life: Life; readonly dispatcher: Dispatcher } | undefined;

  function workerOf() {
    if (worker.life.isOver) worker = employ(store, destination);
    return worker;
  }

  const model = createTemporal({ workerOf });

  /** The process that runs; one that died is started again. */
  async function processOf() {
    if (!process || process.life.isOver) process = await start(store, model);
    return process;
  }

  return {
    ...{ store, sent, model },
    async arrive(entries: readonly Entry[]): Promise<void> {
      await store.inbox.add(entries);
      (await processOf()).dispatcher.wake();
    },
    async crash(): Promise<void> {
      for (const { life } of [worker, await processOf()]) life.isOver = true;
    },
    async dieAfter(call: string): Promise<void> {
      for (const { life } of [workerOf(), await processOf()]) life.endsAfter = call;
    },
    async lingerBefore(call: string): Promise<void> {
      for (const { life } of [workerOf(), await processOf()]) life.lingersBefore = call;
    },
    async pass(ms: number): Promise<void> {
      await processOf();
      await passTime(ms);
    },
    async close(): Promise<void> {
      if (process) process.life.isOver = true;
      worker.life.isOver = true;
      await takeTurns(20);
      await store.close();
      vi.clearAllTimers();
      vi.useRealTimers();
    },
  };
}

async function start(store: Store, model: ReturnType<typeof createTemporal>) {
  const life = newLife();
  const rows = mortal(store.inbox, life);
  const { wake, look, end } = mortal(model, life);
  const { logger } = collectLines();
  const common = { rows, wake, isOutage: (error: unknown) => error instanceof Outage, logger };
  const dispatcher = createDispatcher({ ...common, pollMs: 1000, random: () => 0 });
  const { overdue: unsent } = mortal(store.outbox, life);
  await store.inbox.resetClaims();
  dispatcher.start();
  createPatrol({ ...common, look, end, unsent, afterMs: AFTER_MS }).start();
  return { life, dispatcher };
}

function employ(store: Store, destination: Destination) {
  const life = newLife();
  const deps: ActivityDeps = {
    warehouseOf: () => {
      throw new Error('nothing is to be retrieved');
    },
    inline: { mayRetrieve: () => false, mayAnnounce: () => true, failed() {} },
    resources: mortal(store.resources, life),
    readPayload: () => undefined,
    inbox: mortal(store.inbox, life),
    subjects: mortal(store.subjects, life),
    troubles: mortal(store.troubles, life),
    outbox: mortal(store.outbox, life),
    destinationOf: () => mortal(destination, life),
    compose: createAnnouncement,
    directoryMaxAgeMs: 0,
    announceForMs: Number.MAX_SAFE_INTEGER,
    retry: { slowMs: 1000, retryAfterCapMs: 1000 },
  };
  return { life, deps };
}

/** A destination with what it took, in order, and what it refused. */
function createDestination() {
  const sent = { mode: 'well' as DestinationMode, taken: [] as Announcement[], refused: new Set<string>() };
  const destination: Destination = {
    timeoutMs: 10_000,
    async send({ id, revision, body }) {
      await turn();
      if (sent.mode === 'away') throw new DocklineError('ERR_DESTINATION_UNREACHABLE', 'away');
      if (sent.mode === 'refuses' && revision % 2 === 1) {
        sent.refused.add(id);
        throw new DocklineError('ERR_DESTINATION_REFUSED', 'refused', { status: 422 });
      }
      sent.taken.push({ id, revision, body });
      if (sent.mode === 'mute') throw new DocklineError('ERR_DESTINATION_FAILED', 'it did, and nobody heard');
      return 204;
    },
  };
  return { destination, sent };
}

/** Lets so many turns of the event loop go by. */
export async function takeTurns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await turn();
}

async function passTime(ms: number): Promise<void> {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, ms);
  while (!isOver) {
    vi.advanceTimersToNextTimer();
    await takeTurns(6);
  }
}
