import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../../src/forms/files.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { findPort, LOOPBACK } from './port.ts';
import { type Exit, run, startWatchedProcess } from './programs.ts';

export interface EmbeddedServerOptions {
  /** Path of Temporal's CLI. */
  readonly binary: string;
  /** Folder of its database; created if missing. */
  readonly folder: string;
  /** Port of its gRPC service; 0 for any free port. */
  readonly port: number;
  /** Port of its UI; 0 for any free port. */
  readonly uiPort: number;
  readonly namespace: string;
  /** Search attributes of a new namespace. */
  readonly searchAttributes: Readonly<Record<string, keyof typeof cliType>>;
  /** Logs problems of a running server. */
  readonly log: (line: string) => void;
  readonly dynamicConfig?: Readonly<Record<string, string | number | boolean>>;
}

/** Running Temporal server. */
export interface EmbeddedServer {
  /** `host:port` of its gRPC service. */
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
  /** Resolves when the server has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;

/**
 * Starts Temporal's development server on a persistent database and resolves once it serves the namespace. The server ends
 * with this process, however that ends. A database that a power loss has corrupted is set aside, since nothing in it is needed, and so is
 * one of another minor version of the server, whose schema the development server does not migrate.
 * Rejects with a message for the user if a port is taken or the server does not start.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  makeFolder(options.folder);
  await keepToVersion(options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(options);
    } catch (error) {
      if (!(error instanceof EarlyExit) || attempt === ATTEMPTS) throw error;
      if (CORRUPT.test(error.message)) await setAside(options, 'corrupt', `broken-${Date.now()}`);
    }
  }
}

/** Attempts to start the server: another program may take one of the free ports that it chose for itself. */
const ATTEMPTS = 3;

/** The server ended before it served. */
class EarlyExit extends Error {}

/** Sets the database aside unless the server that wrote it has the minor version of this one. */
async function keepToVersion(options: EmbeddedServerOptions): Promise<void> {
  const { binary, folder } = options;
  const { stdout } = await run(binary, ['--version']).catch(() => ({ stdout: '' }));
  const [, version] = /Server (\d+\.\d+)/.exec(stdout) ?? [];
  if (version === undefined) return;
  const note = join(folder, `${DATABASE}.version`);
  const before = await readFile(note, 'utf8').catch(() => 'unknown');
  if (before === version) return;
  if (existsSync(join(folder, DATABASE))) await setAside(options, `of another server (${before})`, `of-${before}`);
  await writeFile(note, version);
}

async function setAside({ folder, log }: EmbeddedServerOptions, why: string, suffix: string): Promise<void> {
  const backup = `${DATABASE}.${suffix}`;
  await rename(join(folder, DATABASE), join(folder, backup));
  for (const suffix of ['-wal', '-shm']) await rm(join(folder, DATABASE + suffix), { force: true });
  log(`Temporal's database is ${why} and was set aside as ${backup}; pending events are dispatched again.`);
}

const DATABASE = 'temporal.db';

/** Messages of SQLite for a corrupt database. */
const CORRUPT = /malformed|not a database|SQLITE_CORRUPT/i;

async function start(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { binary, namespace, log } = options;
  const hint = `, or TEMPORAL_ADDRESS to ${LOOPBACK}:${options.port} if a Temporal server listens there`;
  const port = await findPort(options.port, 'TEMPORAL_PORT', hint);
  const uiPort = await findPort(options.uiPort, 'TEMPORAL_UI_PORT');
  const server = startWatchedProcess(binary, argumentsOf({ ...options, port, uiPort }));
  const address = `${LOOPBACK}:${port}`;
  let expected = false;
  const stop = () => {
    expected = true;
    return server.stop();
  };
  try {
    await Promise.race([untilServing(address, namespace), server.exited.then(failStart)]);
  } catch (error) {
    await stop();
    throw error;
  }
  const ended = server.exited.then(({ stderr }) => {
    if (!expected) log(`The Temporal server ended unexpectedly. ${stderr}`.trim());
  });
  return { address, uiUrl: `http://${LOOPBACK}:${uiPort}`, pid: server.pid ?? 0, ended, stop };
}

function argumentsOf(options: EmbeddedServerOptions): string[] {
  const { folder, port, uiPort, namespace, searchAttributes, dynamicConfig = {} } = options;
  return [
    'server',
    'start-dev',
    '--ip',
    LOOPBACK,
    '--port',
    `${port}`,
    '--ui-port',
    `${uiPort}`,
    '--namespace',
    namespace,
    '--log-level',
    'error',
    '--db-filename',
    join(folder, DATABASE),
    // Nothing in the database is needed after a crash, so nothing waits for the disk.
    '--sqlite-pragma',
    'journal_mode=WAL',
    '--sqlite-pragma',
    'synchronous=OFF',
    ...Object.entries(searchAttributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${cliType[type]}`]),
    ...Object.entries({ ...ONE_PARTITION, ...CACHED_NAMES, ...dynamicConfig }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${JSON.stringify(value)}`,
    ]),
  ];
}

/** With several partitions, a task in a burst can wait two seconds in one that no worker polls at that time. */
const ONE_PARTITION = { 'matching.numTaskqueueReadPartitions': 1, 'matching.numTaskqueueWritePartitions': 1 };

/** As every other server has it. This one would read the names of search attributes from its database with each signal and each upsert. */
const CACHED_NAMES = { 'system.forceSearchAttributesCacheRefreshOnRead': false };

const cliType = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', DATETIME: 'Datetime' } as const;

async function untilServing(address: string, namespace: string): Promise<void> {
  const { connection, close } = openTemporal({ address, namespace, callTimeoutMs: 1_000 });
  const deadline = Date.now() + START_DEADLINE_MS;
  try {
    for (;;) {
      const failure = await connection.workflowService.describeNamespace({ namespace }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      if (Date.now() > deadline) {
        throw new Error(`The Temporal server at ${address} did not start within a minute`, { cause: failure });
      }
      await pause(100);
    }
  } finally {
    await close();
  }
}

function failStart({ stderr }: Exit): never {
  throw new EarlyExit(`The Temporal server ended before it was ready: ${stderr || 'no output'}`);
}
