import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type OpenChannels, openChannels } from '../alerts/open-channels.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import { keepWatch } from '../alerts/watch.ts';
import { singleFlight } from '../base/loop.ts';
import type { Config } from '../config/config.ts';
import { messageOf } from '../domain/errors.ts';
import { createHealth, type Health } from '../health/health.ts';
import { isHeld, type Machine, type MissingKey } from '../health/sources.ts';
import { fetchPublicKey } from '../ingress/verification/public-key-source.ts';
import type { Readings } from '../store/limited-reads.ts';
import {
  announceTaskQueue,
  createTemporalReading,
  type Queue,
  readAway,
  warehouseTaskQueue,
} from '../temporal/pollers.ts';
import { lastSweep } from '../temporal/sweep-schedules.ts';
import type { OpenInbox } from './inbox.ts';
import { contextOf, type PartOptions } from './service-options.ts';

const SWEEPS_MS = 60_000;
const KEYS_MS = 30_000;

type Options = Pick<PartOptions, 'config' | 'dependencies' | 'store' | 'taskQueue' | 'logger'> & {
  readonly inbox: Pick<OpenInbox, 'client' | 'attributes'>;
  readonly readings: Readings;
};

export const openHealth = (options: Options) =>
  createHealth({
    readings: options.readings,
    machine: createMachine(options),
    timeZone: timeZoneOf(options),
    now: options.store.now,
    logger: options.logger,
  });

/** Sentences have times in it. */
const timeZoneOf = ({ dependencies: { tenants } }: Pick<PartOptions, 'dependencies'>): string =>
  tenants.flatMap(({ deadlines }) => deadlines.map(({ calendar }) => calendar.timeZone))[0] ?? 'UTC';

function createMachine(options: Options): Machine {
  const { config, store, taskQueue } = options;
  const { client } = options.inbox;
  const asked = { queues: queuesOf(options, taskQueue), installation: store.installation, now: store.now };
  const findAway = createTemporalReading({ read: () => readAway(client, asked), now: store.now });
  const kept = keepReading(store.now);
  const noSweeps = { last: [], everyMs: 0, at: 0 };
  const sweeps = kept(() => readSweeps(options), SWEEPS_MS, noSweeps);
  return {
    findAway,
    freeBytes: () => readFreeBytes(config),
    // Sweeps are known by Temporal, whose own incident is enough.
    sweeps: async () => ((await findAway())?.part === 'Temporal' ? noSweeps : sweeps()),
    missingKeys: kept(createKeyReading(options), KEYS_MS, []),
    lackingAttributes: async () => options.inbox.attributes.lacking(),
  };
}

const queuesOf = ({ dependencies: { tenants } }: Options, taskQueue: string): readonly Queue[] => [
  { name: taskQueue, type: 'workflows' },
  { name: announceTaskQueue(taskQueue), type: 'activities' },
  ...tenants.map(({ id }) => ({ name: warehouseTaskQueue(taskQueue, id), type: 'activities' }) as const),
];

async function readSweeps({ config, dependencies, store, inbox: { client } }: Options) {
  const { RECONCILE_EVERY_MS: everyMs } = config;
  const at = store.now();
  const tenants = everyMs === 0 ? [] : dependencies.tenants;
  const last = await Array.fromAsync(tenants, async ({ id }) => ({ tenant: id, sweep: await lastSweep(client, id) }));
  return { last: last.flatMap(({ tenant, sweep }) => (sweep ? [{ tenant, ...sweep }] : [])), everyMs, at };
}

async function readFreeBytes(config: Config): Promise<number | undefined> {
  // PostgreSQL does not tell its free space.
  if (config.DATABASE_URL) return undefined;
  const { bavail, bsize } = await statfs(findExisting(resolve(config.DATA_FOLDER)));
  return bavail * bsize;
}

/** Or the nearest above it: the start creates the rest. */
const findExisting = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : findExisting(dirname(folder));

function createKeyReading({ config, dependencies, store }: Options): Machine['missingKeys'] {
  const missingSince = new Map<string, number>();
  return async () => {
    const each = dependencies.tenants.map(async (tenant): Promise<readonly MissingKey[]> => {
      const { endpoint, id, baseUrl, paths } = tenant;
      const isFetched = tenant.webhook.verify === 'rsa-sha256' && !tenant.webhook.publicKey;
      const error = isFetched
        ? await fetchPublicKey({ baseUrl, keyPath: paths.webhookKey, proxies: config }).then(() => undefined, messageOf)
        : undefined;
      if (error === undefined) missingSince.delete(endpoint);
      if (error === undefined) return [];
      const since = missingSince.get(endpoint) ?? store.now();
      missingSince.set(endpoint, since);
      return [{ endpoint, tenant: id, error, since, at: store.now() }];
    });
    return (await Promise.all(each)).flat();
  };
}

/** Answers at once with what was read last, since a reading from outside may hang. Throws once readings have failed for a while. */
const keepReading =
  (now: () => number) =>
  <T>(read: () => Promise<T>, everyMs: number, initial: T): (() => Promise<T>) => {
    const flight = singleFlight(everyMs, read);
    let value = initial;
    let failure: { readonly since: number; readonly error: unknown } | undefined;
    return async () => {
      void flight.read().then(
        (found) => {
          value = found;
          failure = undefined;
        },
        (error: unknown) => {
          failure = { since: failure?.since ?? now(), error };
        },
      );
      if (failure && isHeld(failure.since, now())) throw failure.error;
      return value;
    };
  };

export function openAlertChannels(
  config: Config,
  { channels, boardUrl }: Pick<AlertSettings, 'channels' | 'boardUrl'>,
  {
    timeoutMs = TIMEOUT_MS,
    served,
  }: { readonly timeoutMs?: number | undefined; readonly served?: () => string | undefined } = {},
) {
  return openChannels(channels, { ...contextOf(config), timeoutMs }, () => boardUrl ?? boardUrlOf(config, served?.()));
}

const TIMEOUT_MS = 10_000;

/** Any port is that on which this process listens. */
function boardUrlOf({ ADMIN_URL, ADMIN_HOST, ADMIN_PORT }: Config, served: string | undefined): string {
  if (ADMIN_PORT === 0 && ADMIN_URL === undefined && served !== undefined) return served;
  return ADMIN_URL?.replace(/(?<!\/)\/+$/, '') ?? `http://${ADMIN_HOST}:${ADMIN_PORT}`;
}

export function startAlerts({
  health,
  channels,
  dependencies,
  store,
  logger,
}: PartOptions & { readonly health: Health; readonly channels: OpenChannels | undefined }) {
  const { alerts: settings } = dependencies;
  if (!settings || !channels) return undefined;
  const { alerts, reads, now } = store;
  const timeZone = timeZoneOf({ dependencies });
  const loop = keepWatch({ settings, channels, health, alerts, reads, timeZone, now, logger });
  loop.start();
  return loop;
}
