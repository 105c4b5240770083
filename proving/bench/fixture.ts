import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '../../sandbox/temporal-server/embedded-server.ts';
import { searchAttributes } from '../../src/domain/search-attributes.ts';
import { createDatabase, type DatabaseName } from '../faults/fixture/database.ts';
import { createDocklineProcess } from '../faults/fixture/dockline-process.ts';
import { findPorts } from '../faults/fixture/ports.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type StubDestination, type StubWarehouse, startStubDestination, startStubWarehouse } from './stubs.ts';
import { TENANT } from './workload.ts';

/** Resources that every section needs. */
export interface Environment {
  readonly temporalBinary: string;
  /** PostgreSQL server on which databases may be created; absent where none can be reached. */
  readonly postgresServer?: string;
  readonly path: string;
  readonly say: (line: string) => void;
  /** Aborts the run. */
  readonly signal: AbortSignal;
}

/** Counterparts of one system under test, shared with no other. */
export interface Fixture {
  readonly folder: string;
  readonly warehouse: StubWarehouse;
  readonly destination: StubDestination;
  /** Announcements that the destination received. */
  readonly ledger: Ledger;
  /** Address of a Temporal server; of none where no binary was given. */
  readonly temporalAddress: string;
  /** Process of that server; 0 for none. */
  readonly temporalPid: number;
}

/** Opens a fixture that the given stack closes. */
export async function openFixture(opened: AsyncDisposableStack, temporalBinary?: string): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'dockline-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const ledger = createLedger();
  const warehouse = opened.adopt(await startStubWarehouse(), (it) => it.close());
  const destination = opened.adopt(await startStubDestination(ledger.add), (it) => it.close());
  const counterparts = { folder, ledger, warehouse, destination };
  if (!temporalBinary) return { ...counterparts, temporalAddress: '127.0.0.1:1', temporalPid: 0 };
  const temporal = await startEmbeddedServer({
    binary: temporalBinary,
    folder: join(folder, 'temporal'),
    port: 0,
    uiPort: 0,
    namespace: 'default',
    searchAttributes,
    log: () => {},
  });
  opened.defer(() => temporal.stop());
  return { ...counterparts, temporalAddress: temporal.address, temporalPid: temporal.pid };
}

/** Process under test. */
export interface ContenderOptions {
  /** Program to run; Dockline by default. */
  readonly program?: URL | undefined;
  readonly database?: DatabaseName;
  readonly env?: Readonly<Record<string, string>>;
  /** Returns settings that depend on the fixture. */
  readonly settings?: (fixture: Fixture) => Readonly<Record<string, string>>;
  /** Time within which it is ready, in milliseconds. */
  readonly readyWithinMs?: number;
  /** It retries for long. Default: true. */
  readonly isPatient?: boolean;
}

/** Starts a process with fresh data in a fixture; resolves with its addresses and its id once that is ready. */
export async function startContender(
  { program, database = 'sqlite', env = {}, settings, readyWithinMs }: ContenderOptions,
  { fixture, postgresServer = '', path }: Pick<Environment, 'postgresServer' | 'path'> & { readonly fixture: Fixture },
  opened: AsyncDisposableStack,
): Promise<{ readonly url: string; readonly adminUrl: string; readonly pid: number }> {
  const [port = 0, adminPort = 0] = await findPorts(2, randomInt);
  const origin = `http://127.0.0.1:${port}`;
  const postgres =
    database === 'postgres' ? opened.adopt(await createDatabase(postgresServer), (it) => it.drop()) : undefined;
  const process = createDocklineProcess({
    name: 'the contender',
    args: [],
    roles: [],
    readyUrl: `${origin}/health/ready`,
    ...(program && { program: fileURLToPath(program) }),
    ...(readyWithinMs !== undefined && { readyWithinMs }),
    env: {
      PATH: path,
      WEBHOOK_PORT: String(port),
      ADMIN_PORT: String(adminPort),
      LOG_LEVEL: 'error',
      DATA_FOLDER: await mkdtemp(join(fixture.folder, 'data-')),
      ...(await shippedVariables()),
      ...settingsOf(fixture),
      ...(postgres && { DATABASE_URL: postgres.url }),
      ...env,
      ...settings?.(fixture),
    },
  });
  opened.adopt(process, (it) => it.stop());
  await process.start();
  return { url: `${origin}/webhooks/warehouse`, adminUrl: `http://127.0.0.1:${adminPort}`, pid: process.pid() };
}

/** Returns the variables of Node and the C library that the image and the units give Dockline; every contender gets them. */
async function shippedVariables(): Promise<Record<string, string>> {
  const unit = await readFile(UNIT, 'utf8');
  return Object.fromEntries([...unit.matchAll(/\b((?:MALLOC|NODE)_\w+)=(\S+)/g)].map(([, ...it]) => it));
}

const UNIT = new URL('../../deploy/systemd/dockline.service', import.meta.url);

/** Settings that lead Dockline to the fixture, and lift limits that are not to be measured. */
const settingsOf = ({ warehouse, destination, temporalAddress }: Fixture): Record<string, string> => ({
  WAREHOUSE_CALLS_PER_SECOND: '10000',
  WEBHOOK_REQUESTS_PER_MINUTE: '100000000',
  INBOX_LIMIT: '10000000',
  TEMPORAL_ADDRESS: temporalAddress,
  RECONCILE_EVERY_MS: '0',
  WAREHOUSE_BASE_URL: warehouse.baseUrl,
  WAREHOUSE_AUTH_URL: warehouse.baseUrl,
  WAREHOUSE_TENANT: TENANT,
  WAREHOUSE_CLIENT_ID: 'bench',
  WAREHOUSE_CLIENT_SECRET: 'bench',
  WAREHOUSE_USER_LOGIN: 'bench',
  ANNOUNCE_URL: destination.url,
  ANNOUNCE_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
});
