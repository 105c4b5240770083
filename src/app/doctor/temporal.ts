import { once } from 'node:events';
import { createConnection } from 'node:net';
import { isGrpcServiceError } from '@temporalio/client';
import type { Config } from '../../config/config.ts';
import { messageOf, reasonOf } from '../../domain/errors.ts';
import { openTemporal, type Temporal } from '../../temporal/connection.ts';
import { findCurrentVersion } from '../../temporal/current-version.ts';
import { listMissingSearchAttributes } from '../../temporal/search-attributes.ts';
import { scheduledTenants, stateOfSweepSchedule } from '../../temporal/sweep-schedules.ts';
import { TASK_QUEUE } from '../../temporal/task-queues.ts';
import { temporalTarget } from '../temporal-target.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';

/** Checks Temporal: its namespace, search attributes, schedules and current version. */
export async function checkTemporal(
  reporter: Reporter,
  {
    config,
    tenants,
    timeoutMs,
  }: { readonly config: Config; readonly tenants: readonly string[]; readonly timeoutMs: number },
): Promise<void> {
  const target = temporalTarget(config);
  const temporal = openTemporal({ ...target, callTimeoutMs: timeoutMs, retries: false });
  const isEmbedded = config.TEMPORAL_ADDRESS === undefined;
  try {
    const isThere = await reporter.check<boolean>('namespace', `${target.namespace} at ${target.address}`, () =>
      findNamespace(temporal, target, isEmbedded),
    );
    if (isThere) await inspectNamespace(reporter, temporal, { config, tenants });
  } finally {
    await temporal.close();
  }
}

async function findNamespace(
  { connection }: Temporal,
  { address, namespace }: { readonly address: string; readonly namespace: string },
  isEmbedded: boolean,
) {
  try {
    // Says sooner and more clearly than gRPC that nobody is there.
    await connect(address);
    await connection.workflowService.describeNamespace({ namespace });
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    return { ...judgeServer(serverVersion ?? ''), value: true };
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND)
      return failed(
        'Temporal answers, and does not have this namespace',
        'Create it, or set TEMPORAL_NAMESPACE to one that it has.',
      );
    if (isEmbedded) return skipped('nothing runs there: dockline start runs an embedded server');
    return failed(
      `Temporal does not answer: ${messageOf(error)}`,
      'Check TEMPORAL_ADDRESS, and that this machine may connect to it. Webhooks are accepted and wait meanwhile.',
    );
  }
}

const NOT_FOUND = 5;

/** First version of the server on which updates, with which a subject is refreshed and released, need no setting. */
const OLDEST = [1, 25] as const;

/** Judges the version of a server, such as `1.29.1`; one that names none, or in another form, is taken as new enough. */
export function judgeServer(version: string): Finding {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return ok('answered');
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return ok(`answered, version ${version}`);
  return warning(
    `Temporal's server ${version} is older than ${OLDEST.join('.')}, so that orders cannot be refreshed or released`,
    'Upgrade the server; orders are followed and announced meanwhile.',
  );
}

/** Time for a connection, in milliseconds. */
const CONNECT_MS = 4000;

async function connect(address: string): Promise<void> {
  const { hostname: host, port } = new URL(`tcp://${address}`);
  const socket = createConnection({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
  } catch (error) {
    throw new Error(`${address} ${(error as Error).name === 'AbortError' ? 'is silent' : reasonOf(error)}`);
  } finally {
    socket.destroy();
  }
}

async function inspectNamespace(
  { check }: Reporter,
  { connection, client }: Temporal,
  { config, tenants }: { readonly config: Config; readonly tenants: readonly string[] },
): Promise<void> {
  const { TEMPORAL_NAMESPACE: namespace, RECONCILE_EVERY_MS: everyMs, TEMPORAL_BUILD_ID: buildId } = config;
  await Promise.all([
    check('search attributes', `list of ${namespace}`, async () => {
      const missing = await listMissingSearchAttributes(connection, namespace);
      return missing.length === 0
        ? ok('all are there')
        : skipped(`${missing.join(', ')}: not there yet; dockline start registers them`);
    }),
    ...(everyMs > 0 ? tenants : []).map((tenant) =>
      check('schedule', `reconcile-${tenant}`, async () => schedules[await stateOfSweepSchedule(client, tenant)]),
    ),
    ...(everyMs > 0 && config.tenants.length > 0
      ? [
          check('tenant', 'schedules of sweeps', async () =>
            judgeScheduled(config, await scheduledTenants(client, TASK_QUEUE)),
          ),
        ]
      : []),
    check('worker version', buildId ?? 'TEMPORAL_BUILD_ID is not set', async () =>
      compareVersions(buildId, await findCurrentVersion(connection, namespace)),
    ),
  ]);
}

/** Compares the tenants that a running Dockline sweeps with those that are configured here; one that is not may have been learned. */
export function judgeScheduled({ tenants }: Pick<Config, 'tenants'>, scheduled: readonly string[]): Finding {
  const ids = tenants.flatMap(({ id }) => id ?? []);
  const others = scheduled.filter((tenant) => !ids.includes(tenant)).join(', ');
  if (ids.length === 0)
    return others ? ok(`learned from its webhooks: ${others}`) : skipped('no webhook has named it yet');
  if (!others) return ok(ids.join(', '));
  // One beside those that are configured may have been configured before.
  const judge = ids.some((id) => scheduled.includes(id)) ? warning : failed;
  return judge(
    `the Dockline that runs sweeps ${others}, and ${ids.join(', ')} is configured here`,
    'Compare WAREHOUSE_TENANT with the tplId in the webhooks of the warehouse.',
  );
}

const schedules = {
  running: ok('is there'),
  paused: warning('is paused: missing events are not found', 'Unpause it in the Temporal UI.'),
  missing: skipped('is not there yet; dockline start creates it'),
} as const;

/** Temporal gives workflow tasks only to workers of the current version. */
function compareVersions(own: string | undefined, current: string | undefined): Finding {
  if (own === current) return ok(own === undefined ? 'Temporal expects none either' : 'is the current one');
  const switchTo = (version: string) =>
    `dockline temporal worker deployment set-current-version --deployment-name dockline ${version}`;
  if (own === undefined)
    return failed(
      `Temporal gives workflow tasks to version ${current} only`,
      `Set TEMPORAL_BUILD_ID, or run: ${switchTo('--unversioned')}`,
    );
  return warning(
    `Temporal gives workflow tasks to ${current === undefined ? 'workers without a version' : `version ${current}`} only`,
    `Once workers of this version run: ${switchTo(`--build-id ${own}`)}`,
  );
}
