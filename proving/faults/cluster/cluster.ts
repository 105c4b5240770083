import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { run, startWatchedProcess, type WatchedProcess } from '../../../sandbox/temporal-server/programs.ts';
import { openTemporal } from '../../../src/temporal/connection.ts';
import { command } from '../fixture/database.ts';
import { findPorts } from '../fixture/ports.ts';
import { startPostgresProcess } from '../fixture/postgres-process.ts';
import type { CreateTemporal, TemporalProcess } from '../fixture/temporal-process.ts';
import { InjectionUnavailableError } from '../injection/injection.ts';
import { type NodeDatabase, nodeConfig, PORTS_PER_NODE } from './node-config.ts';
import type { ClusterPrograms } from './programs.ts';

interface ClusterOptions {
  readonly programs: ClusterPrograms;
  /** Folder of its configuration. */
  readonly folder: string;
  /** Free ports. */
  readonly ports: readonly number[];
}

/** Creates clusters on free ports, each with a PostgreSQL server of its own. */
export const clusters =
  (programs: ClusterPrograms): CreateTemporal =>
  async (folder, { between }) =>
    createCluster({ programs, folder, ports: await findPorts(CLUSTER_PORTS, between) });

const NODES = 2;

const CLUSTER_PORTS = NODES * PORTS_PER_NODE;

const NAMESPACE = 'default';
const DEADLINE_MS = 120_000;

/**
 * Creates a Temporal server of several nodes on a PostgreSQL server of its own, without starting it. It has Temporal's own defaults, such as
 * four partitions for each task queue.
 */
async function createCluster({ programs, folder, ports }: ClusterOptions): Promise<TemporalProcess> {
  const postgres = await startPostgresProcess({ settings: { max_connections: '200' } });
  const databases = [databaseIn(postgres.url, 'temporal'), databaseIn(postgres.url, 'visibility')] as const;
  const files = await writeConfigs({ folder, ports, databases });
  const address = `127.0.0.1:${ports[0]}`;
  const nodes: WatchedProcess[] = [];
  const args = ['-r', folder, '-e', 'node', '--allow-no-auth'];
  const create = async () => {
    await createDatabase(programs.sqlTool, databases[0], 'temporal');
    await createDatabase(programs.sqlTool, databases[1], 'visibility');
  };
  const drop = async () => {
    for (const one of databases) await command(postgres.url, `drop database ${one.name} with (force)`);
  };
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  await create();
  return {
    name: 'the Temporal cluster',
    address,
    stop,
    async close() {
      await stop();
      await postgres.stop();
    },
    async start() {
      nodes.length = 0;
      // One after the other: the first one writes what describes the cluster.
      for (const [index, file] of files.entries()) {
        const node = startWatchedProcess(programs.server, [...args, '-c', file, 'start']);
        nodes.push(node);
        const ended = node.exited.then(({ stderr }) => {
          throw new Error(`a node of Temporal ended: ${stderr || 'no message'}`);
        });
        await Promise.race([untilServing(`127.0.0.1:${ports[index * PORTS_PER_NODE]}`), ended]);
        ended.catch(() => undefined);
      }
    },
    async kill() {
      for (const { pid = 0 } of nodes) process.kill(pid, 'SIGKILL');
      await Promise.all(nodes.map(({ exited }) => exited));
    },
    copyDatabase: () => Promise.reject(new InjectionUnavailableError('the databases of a cluster are not copied')),
    async replaceDatabase() {
      await drop();
      await create();
    },
  };
}

function databaseIn(server: string, name: string): NodeDatabase {
  const { hostname, port, username, password } = new URL(server);
  return {
    hostname: hostname || '127.0.0.1',
    port: port || '5432',
    name,
    // The driver insists on a password, also where the server asks for none.
    user: decodeURIComponent(username) || 'postgres',
    password: decodeURIComponent(password) || 'none',
  };
}

/** Creates a database with the newest version of one of Temporal's two schemas. */
async function createDatabase(sqlTool: string, { hostname, port, user, password, name }: NodeDatabase, schema: string) {
  const connection = ['--ep', hostname, '-p', port, '-u', user, '--pw', password, '--pl', 'postgres12', '--db', name];
  const tool = (...args: readonly string[]) => run(sqlTool, [...connection, ...args]);
  await tool('create-database');
  await tool('setup-schema', '-v', '0.0');
  await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

/** Writes the configuration of each node; returns the folders, by the names that the server takes. */
async function writeConfigs({
  folder,
  ports,
  databases,
}: Pick<ClusterOptions, 'folder' | 'ports'> & { readonly databases: readonly [NodeDatabase, NodeDatabase] }) {
  const dynamicConfig = join(folder, 'dynamic.yaml');
  const names = Array.from({ length: NODES }, (_, index) => `node-${index + 1}`);
  await mkdir(folder, { recursive: true });
  await writeFile(dynamicConfig, '{}\n');
  for (const [index, name] of names.entries()) {
    const own = ports.slice(index * PORTS_PER_NODE, (index + 1) * PORTS_PER_NODE);
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'node.yaml'), nodeConfig({ ports: own, databases, dynamicConfig }));
  }
  return names;
}

/** Resolves when the cluster serves the namespace, which is registered first if need be. */
async function untilServing(address: string): Promise<void> {
  const { connection, close } = openTemporal({ address, namespace: NAMESPACE, callTimeoutMs: 2_000 });
  const deadline = Date.now() + DEADLINE_MS;
  const { workflowService } = connection;
  try {
    for (;;) {
      // Unlike a description of the namespace, this takes it from the node's cache, as most calls do.
      const failure = await workflowService.countWorkflowExecutions({ namespace: NAMESPACE }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return;
      if (Date.now() > deadline) throw new Error(`The cluster at ${address} did not start`, { cause: failure });
      if (isGrpcServiceError(failure) && failure.code === NOT_FOUND) {
        const retention = msToTs('1 day');
        await workflowService
          .registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: retention })
          .catch(() => undefined);
      }
      await pause(250);
    }
  } finally {
    await close();
  }
}

const NOT_FOUND = 5;
