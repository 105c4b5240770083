import { statfs } from 'node:fs/promises';
import { type Audience, audienceOf, everything } from '../alerts/audience.ts';
import type { AlertSettings } from '../alerts/channel-settings.ts';
import type { Machine } from '../alerts/conditions/search.ts';
import { keepWatch, type WatchDeps } from '../alerts/watch.ts';
import { holdsCustomers } from '../domain/limit.ts';
import { shareReading } from '../observability/metrics/stored.ts';
import { limitReads } from '../store/limited-reads.ts';
import { createHealth } from '../temporal/health.ts';
import { lastSweep } from '../temporal/sweep-schedules.ts';
import type { OpenChannels } from './alert-channels.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

/** Age at which Temporal is asked for sweeps again, and the wait for its answer, in milliseconds. */
const SWEEPS_MS = 60_000;
const WITHIN_MS = 5000;

const MINUTE_MS = 60_000;

/** Parts that alerts need. */
type AlertOptions = Pick<PartOptions, 'config' | 'dependencies' | 'store' | 'logger'> & {
  readonly settings: AlertSettings;
  readonly channels: OpenChannels;
  readonly machine: Machine;
};

/** Gathers what a watch needs. */
export function watchOf({ settings, channels, machine, ...options }: AlertOptions): WatchDeps {
  const { store, logger } = options;
  const listeners = channels.open.map(({ settings: wishes, channel }) => ({
    wishes,
    channel,
    audience: audienceOf(wishes.tenants, wishes.customers),
    fallback: wishes.fallback,
  }));
  const audiences = new Map([everything, ...listeners.map((it) => it.audience)].map((it) => [it.name, it]));
  return {
    alerts: store.alerts,
    listeners: listeners.map((it) => ({ ...it, audience: it.audience.name })),
    audiences: [...audiences.values()],
    sourcesOf: (audience) => ({
      reads: readsOf(audience, options),
      ...(audience.limits === undefined && { machine }),
    }),
    damping: { holdMs: settings.holdSeconds * 1000, clearMs: settings.clearSeconds * 1000 },
    failingMs: settings.failingMinutes * MINUTE_MS,
    awayMs: settings.awayMinutes * MINUTE_MS,
    boardUrl: channels.boardUrl,
    now: store.now,
    logger,
  };
}

/** Starts to look for what is wrong, and to tell the channels; undefined without any. */
export function startAlerts(
  options: PartOptions & { readonly inbox: OpenInbox; readonly channels: OpenChannels | undefined },
) {
  const { channels } = options;
  const { alerts: settings } = options.dependencies;
  if (!settings || !channels) return undefined;
  const loop = keepWatch(watchOf({ ...options, settings, channels, machine: createMachine(options) }));
  loop.start();
  return loop;
}

/** Returns the connection that reads what an audience may hear of, as for a token with the same limits. */
function readsOf({ name, limits }: Audience, { store, dependencies }: Pick<PartOptions, 'store' | 'dependencies'>) {
  if (limits === undefined) return store.reads;
  const configured = dependencies.tenants.flatMap(({ id, destinations }) =>
    destinations
      .filter((it) =>
        (id === undefined ? limits.map(({ tenant }) => tenant) : [id]).some((tenant) =>
          holdsCustomers(limits, tenant, it.customers),
        ),
      )
      .map((it) => ({ tenant: id, name: it.name })),
  );
  return limitReads(store.reads, { token: `alerts of ${name}`, limits, configured });
}

function createMachine({
  config,
  dependencies,
  store,
  taskQueue,
  inbox: { client },
}: PartOptions & { readonly inbox: OpenInbox }): Machine {
  const named = dependencies.tenants.flatMap(({ id }) => id ?? []);
  const { RECONCILE_EVERY_MS: everyMs } = config;
  async function readSweeps() {
    const at = store.now();
    const tenants = everyMs === 0 ? [] : named.length > 0 ? named : await store.tenants();
    const last = await Array.fromAsync(tenants, async (tenant) => ({ tenant, sweep: await lastSweep(client, tenant) }));
    return { last: last.flatMap(({ tenant, sweep }) => (sweep ? [{ tenant, ...sweep }] : [])), everyMs, at };
  }
  return {
    findAway: createHealth({ client, taskQueue }),
    async freeBytes() {
      // PostgreSQL says nothing of its disk.
      if (config.DATABASE_URL) return undefined;
      const { bavail, bsize } = await statfs(config.DATA_FOLDER);
      return bavail * bsize;
    },
    sweeps: shareReading({ read: readSweeps, forMs: SWEEPS_MS, withinMs: WITHIN_MS }),
  };
}
