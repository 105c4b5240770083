import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';
import { openStore, type Store } from '../../src/app/store.ts';
import type { Destination } from '../../src/destinations/sending/sending.ts';
import { DocklineError } from '../../src/domain/errors.ts';
import type { OutgoingAnnouncement } from '../../src/domain/outgoing.ts';
import type { Entry } from '../../src/domain/quarantine.ts';
import { createDispatcher, type Dispatcher } from '../../src/inbox/dispatcher.ts';
import { createPatrol } from '../../src/inbox/patrol.ts';
import { depsOn } from '../activities/deps.ts';
import { configure } from '../store/configured.ts';
import { crashable, type Host, newHost } from './crashable.ts';
import { collectLines, Outage } from './dispatching.ts';
import { createTemporal } from './temporal-model.ts';

/** Behavior of a destination: it may be down, process announcements without acknowledging them, or refuse every other one. */
export type DestinationMode = 'well' | 'down' | 'mute' | 'refuses';

/** Age at which the patrol checks events and announcements, in milliseconds. */
export const AFTER_MS = 5000;

/** Destinations: one gets everything, the other only that something was put on hold. */
export const destinationNames = ['default', 'holds'] as const;

/** Opens Dockline on an in-memory store between a model of Temporal and its destinations, with fake timers. */
export async function openWorld() {
  vi.useFakeTimers({
    fakeNodeBuiltins: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const store = await openStore({ file: ':memory:' });
  await configure(store, { default: {}, holds: { types: ['*.placedOnHold'] } });
  const destinations = { default: createDestination(), holds: createDestination() };
  let worker = startWorker(store, destinations);
  let process: { readonly host: Host; readonly dispatcher: Dispatcher } | undefined;

  function workerOf() {
    if (worker.host.hasCrashed) worker = startWorker(store, destinations);
    return worker;
  }

  const model = createTemporal({ workerOf, destinations: destinationNames });

  /** Returns the running process; restarts one that crashed. */
  async function processOf() {
    if (!process || process.host.hasCrashed) process = await start(store, model);
    return process;
  }

  return {
    store,
    destinations,
    model,
    async arrive(entries: readonly Entry[]): Promise<void> {
      await store.inbox.add(entries);
      (await processOf()).dispatcher.wake();
    },
    async crash(): Promise<void> {
      for (const { host } of [worker, await processOf()]) host.hasCrashed = true;
    },
    async crashAfter(call: string): Promise<void> {
      for (const { host } of [workerOf(), await processOf()]) host.crashesAfter = call;
    },
    async delayBefore(call: string): Promise<void> {
      for (const { host } of [workerOf(), await processOf()]) host.delaysBefore = call;
    },
    async pass(ms: number): Promise<void> {
      await processOf();
      await passTime(ms);
    },
    async close(): Promise<void> {
      if (process) process.host.hasCrashed = true;
      worker.host.hasCrashed = true;
      await takeTurns(20);
      await store.close();
      vi.clearAllTimers();
      vi.useRealTimers();
    },
  };
}

async function start(store: Store, model: ReturnType<typeof createTemporal>) {
  const host = newHost();
  const due = crashable(store.due, host);
  const { wake, look: stateOf, end } = crashable(model, host);
  const { logger } = collectLines();
  const common = { due, isOutage: (error: unknown) => error instanceof Outage, logger };
  const rows = crashable(store.inbox, host);
  const dispatcher = createDispatcher({ ...common, rows, wake, pollMs: 1000, random: () => 0 });
  dispatcher.start();
  const wakeOverdue = async () => {};
  const { wakeResumed } = store.destinations;
  createPatrol({
    ...common,
    stateOf,
    end,
    wakeOverdue,
    wakeResumed,
    onDue: dispatcher.wake,
    afterMs: AFTER_MS,
  }).start();
  return { host, dispatcher };
}

type Destinations = Readonly<Record<string, ReturnType<typeof createDestination>>>;

function startWorker(store: Store, destinations: Destinations) {
  const host = newHost();
  const deps = depsOn(store, {
    mayInline: (_, gets) => gets === 0,
    breaker: { isOpen: () => false, reason: () => undefined, open() {}, failed: () => false, succeeded() {} },
    resources: crashable(store.resources, host),
    inbox: crashable(store.inbox, host),
    subjects: crashable(store.subjects, host),
    activityFailures: crashable(store.activityFailures, host),
    outbox: crashable(store.outbox, host),
    destinationOf(_tenant, name) {
      const destination = destinations[name]?.destination;
      if (!destination) throw new Error(`there is no destination ${name}`);
      return { name, filter: {}, ...crashable(destination, host) };
    },
    announceForMs: Number.MAX_SAFE_INTEGER,
    retry: { slowMs: 1000, retryAfterCapMs: 1000 },
  });
  return { host, deps };
}

/** Creates a destination with the announcements it processed, in order, and refused. */
function createDestination() {
  const taken: OutgoingAnnouncement[] = [];
  const refused = new Set<string>();
  const state = { mode: 'well' as DestinationMode };
  const destination: Destination = {
    async send({ id, revision, previous, isReplay, body }) {
      await turn();
      if (state.mode === 'down') throw new DocklineError('ERR_DESTINATION_UNREACHABLE', 'down');
      if (state.mode === 'refuses' && revision % 2 === 1) {
        refused.add(id);
        throw new DocklineError('ERR_DESTINATION_REFUSED', 'refused', { status: 422 });
      }
      taken.push({ id, revision, previous, isReplay, body });
      if (state.mode === 'mute') throw new DocklineError('ERR_DESTINATION_FAILED', 'the answer is lost');
      return { status: 204 };
    },
  };
  return { destination, state, taken, refused };
}

/** Waits for a number of turns of the event loop. */
export async function takeTurns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await turn();
}

async function passTime(ms: number): Promise<void> {
  let hasCrashed = false;
  setTimeout(() => {
    hasCrashed = true;
  }, ms);
  while (!hasCrashed) {
    vi.advanceTimersToNextTimer();
    await takeTurns(6);
  }
}
