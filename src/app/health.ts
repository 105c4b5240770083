import { X509Certificate } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { messageOf } from '../domain/errors.ts';
import { createHealth } from '../health/health.ts';
import { createLook } from '../health/look.ts';
import type { Certificate, Machine, MissingKey } from '../health/sources.ts';
import { createAgent } from '../http/agent.ts';
import { readEverything } from '../store/limited-reads.ts';
import { createTemporalLook, type Queue } from '../temporal/health.ts';
import { lastSweep } from '../temporal/sweep-schedules.ts';
import { announceTaskQueue, warehouseTaskQueue } from '../temporal/task-queues.ts';
import { deviationOf } from './doctor/clock.ts';
import { findMissingKey } from './doctor/webhook.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

/** Ages at which what is outside is looked at again, in milliseconds. */
const SWEEPS_MS = 60_000;
const KEYS_MS = 30_000;
const CLOCKS_MS = 600_000;
const CERTIFICATES_MS = 3_600_000;

/** Time for an answer, in milliseconds. */
const ANSWER_MS = 5000;

type Options = Pick<PartOptions, 'config' | 'dependencies' | 'store' | 'taskQueue' | 'logger'> & {
  readonly inbox: Pick<OpenInbox, 'client'>;
};

/** Opens the reading of incidents, which every part of this process shows. */
export const openHealth = (options: Options) =>
  createHealth({
    reads: readEverything(options.store.reads),
    machine: createMachine(options),
    timeZone: timeZoneOf(options),
    now: options.store.now,
    logger: options.logger,
  });

/** Returns the time zone in which sentences have their times: that of the first calendar. */
export const timeZoneOf = ({ dependencies: { tenants } }: Pick<PartOptions, 'dependencies'>): string =>
  tenants.flatMap(({ deadlines }) => deadlines.map(({ calendar }) => calendar.timeZone))[0] ?? 'UTC';

function createMachine(options: Options): Machine {
  const { config, store, taskQueue } = options;
  const { client } = options.inbox;
  const findAway = createTemporalLook({ client, queues: queuesOf(options, taskQueue) });
  const look = <T>(read: () => Promise<T>, everyMs: number, initial: T) =>
    createLook({ read, everyMs, initial, now: store.now });
  const sweeps = look(() => readSweeps(options), SWEEPS_MS, { last: [], everyMs: 0, at: 0 });
  const clocks = look(() => readClocks(options), CLOCKS_MS, []);
  const missingKeys = look(createKeyReading(options), KEYS_MS, []);
  const certificates = look(() => readCertificates(options), CERTIFICATES_MS, []);
  return {
    findAway,
    async freeBytes() {
      // PostgreSQL says nothing of its disk.
      if (config.DATABASE_URL) return undefined;
      const { bavail, bsize } = await statfs(config.DATA_FOLDER);
      return bavail * bsize;
    },
    // Temporal knows of them: without it, its own incident says enough.
    sweeps: async () => (findAway()?.part === 'Temporal' ? { last: [], everyMs: 0, at: 0 } : sweeps()),
    clocks: async () => clocks(),
    missingKeys: async () => missingKeys(),
    certificates: async () => certificates(),
  };
}

const queuesOf = ({ dependencies: { tenants } }: Options, taskQueue: string): readonly Queue[] => [
  { name: taskQueue, type: 'workflows' },
  { name: announceTaskQueue(taskQueue), type: 'activities' },
  ...tenants.map(({ id }) => ({ name: warehouseTaskQueue(taskQueue, id), type: 'activities' }) as const),
];

async function readSweeps({ config, dependencies, store, inbox: { client } }: Options) {
  const named = dependencies.tenants.flatMap(({ id }) => id ?? []);
  const { RECONCILE_EVERY_MS: everyMs } = config;
  const at = store.now();
  const tenants = everyMs === 0 ? [] : named.length > 0 ? named : await store.tenants();
  const last = await Array.fromAsync(tenants, async (tenant) => ({ tenant, sweep: await lastSweep(client, tenant) }));
  return { last: last.flatMap(({ tenant, sweep }) => (sweep ? [{ tenant, ...sweep }] : [])), everyMs, at };
}

/** Compares this machine's clock with those of the database and of the warehouses; one that does not say its time is left out. */
async function readClocks({ config, dependencies, store }: Options) {
  const before = Date.now();
  const database = config.DATABASE_URL ? [{ from: 'the database', ms: (await store.time()) - before }] : [];
  const agent = createAgent({ proxies: config });
  const origins = new Set(dependencies.tenants.map(({ baseUrl }) => new URL(baseUrl).origin));
  const warehouses = await Promise.all(
    [...origins].map(async (origin) => {
      const ms = await deviationOf(agent, origin, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
      return ms === undefined ? [] : [{ from: origin, ms }];
    }),
  );
  await agent.close();
  return [...database, ...warehouses.flat()];
}

function createKeyReading({ config, dependencies, store }: Options): Machine['missingKeys'] {
  const missingSince = new Map<string, number>();
  return async () => {
    const each = dependencies.tenants.map(async (tenant): Promise<readonly MissingKey[]> => {
      const { endpoint, id } = tenant;
      const error = await findMissingKey(tenant, { proxies: config, timeoutMs: ANSWER_MS });
      if (error === undefined) missingSince.delete(endpoint);
      if (error === undefined) return [];
      const since = missingSince.get(endpoint) ?? store.now();
      missingSince.set(endpoint, since);
      return [{ endpoint, tenant: id, error, since }];
    });
    return (await Promise.all(each)).flat();
  };
}

/** Reads the certificates that Dockline shows to others. */
async function readCertificates({ config }: Options): Promise<readonly Certificate[]> {
  const files = {
    TEMPORAL_TLS_CLIENT_CERT_PATH: config.TEMPORAL_TLS_CLIENT_CERT_PATH,
    ANNOUNCE_CLIENT_CERT: config.ANNOUNCE_CLIENT_CERT,
  };
  const given = Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [{ name, file }]));
  return await Array.fromAsync(given, async ({ name, file }) => {
    const text = file.includes('-----BEGIN') ? file : await readFile(file, 'utf8');
    try {
      return { name, until: Date.parse(new X509Certificate(text).validTo) };
    } catch (error) {
      throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
    }
  });
}
