/** Database that a node keeps its data in. */
export interface NodeDatabase {
  readonly hostname: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly name: string;
}

/** Services of Temporal; a node of a small cluster has all of them. */
const services = ['frontend', 'history', 'matching', 'worker'] as const;

/** Number of ports that a node needs. */
export const PORTS_PER_NODE = 2 * services.length;

/** Number of the cluster's shards, which is fixed for the life of its database. */
const SHARDS = 16;

/** Configures a node of a cluster. Nodes find each other in the database. JSON is YAML, which the server reads. */
export function nodeConfig({
  ports,
  databases: [main, visibility],
  dynamicConfig,
}: {
  readonly ports: readonly number[];
  /** For workflows, and for their visibility. */
  readonly databases: readonly [NodeDatabase, NodeDatabase];
  /** Path of the dynamic configuration. */
  readonly dynamicConfig: string;
}): string {
  const rpc = services.map((service, index) => {
    const [grpcPort, membershipPort] = ports.slice(2 * index);
    return [service, { rpc: { grpcPort, membershipPort, bindOnLocalHost: true } }] as const;
  });
  const frontend = `127.0.0.1:${ports[0]}`;
  return JSON.stringify({
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: SHARDS,
      datastores: { main: datastore(main, 20), visibility: datastore(visibility, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(rpc),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: frontend },
    dynamicConfigClient: { filepath: dynamicConfig, pollInterval: '60s' },
  });
}

const datastore = ({ hostname, port, user, password, name }: NodeDatabase, maxConns: number) => ({
  sql: {
    pluginName: 'postgres12',
    databaseName: name,
    connectAddr: `${hostname}:${port}`,
    connectProtocol: 'tcp',
    user,
    password,
    maxConns,
    maxIdleConns: maxConns,
    maxConnLifetime: '1h',
  },
});
