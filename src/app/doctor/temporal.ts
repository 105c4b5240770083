import { isGrpcServiceError } from '@temporalio/client';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import { factsOf } from '../../domain/health/condition.ts';
import { searchAttributeChoices } from '../../domain/search-attributes.ts';
import { openTemporal, type Temporal } from '../../temporal/connection.ts';
import { lastPolls, type Poll } from '../../temporal/pollers.ts';
import { compareSearchAttributes } from '../../temporal/search-attributes.ts';
import { scheduledTenants, stateOfSweepSchedule } from '../../temporal/sweep-schedules.ts';
import { TASK_QUEUE } from '../../temporal/task-queues.ts';
import { findCurrentVersion } from '../../temporal/workers.ts';
import { storeLocation } from '../store.ts';
import { temporalTarget } from '../temporal-target.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';
import { findInstallation } from './inspection.ts';

interface Asked {
  readonly config: Config;
  readonly tenants: readonly Pick<TenantSettings, 'id'>[];
}

export async function checkTemporal(
  reporter: Reporter,
  { config, tenants, timeoutMs }: Asked & { readonly timeoutMs: number },
): Promise<void> {
  const target = temporalTarget(config);
  const temporal = openTemporal({ ...target, callTimeoutMs: timeoutMs, retries: false });
  const isEmbedded = config.TEMPORAL_ADDRESS === undefined;
  try {
    const isThere = await reporter.check<boolean>('namespace', `${target.namespace} at ${target.address}`, () =>
      findNamespace(temporal, target.namespace, isEmbedded),
    );
    if (isThere) await inspectNamespace(reporter, temporal, { config, tenants });
  } finally {
    await temporal.close();
  }
}

async function findNamespace({ connection }: Temporal, namespace: string, isEmbedded: boolean) {
  try {
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
    const reason = isGrpcServiceError(error) ? error.details.replaceAll(NOISE, '') : messageOf(error);
    return failed(
      `Temporal does not answer: ${reason}`,
      'Check TEMPORAL_ADDRESS, and that this machine may connect to it. Webhooks are accepted and wait meanwhile.',
    );
  }
}

const NOT_FOUND = 5;

/** Around what gRPC says of a connection. */
const NOISE = /^No connection established\. Last error: Error: |\.? Resolution note: $/g;

/** Since then updates need no setting. */
const OLDEST = [1, 25] as const;

/** An unknown form counts as new enough. */
export function judgeServer(version: string): Finding {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return ok('answered');
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return ok(`answered, version ${version}`);
  return warning(
    `Temporal's server ${version} is older than ${OLDEST.join('.')}, so that orders cannot be refreshed or released`,
    'Upgrade the server; orders are followed and announced meanwhile.',
  );
}

async function inspectNamespace(
  { check }: Reporter,
  { connection, client }: Temporal,
  { config, tenants }: Asked,
): Promise<void> {
  const { TEMPORAL_NAMESPACE: namespace, RECONCILE_EVERY_MS: everyMs, TEMPORAL_BUILD_ID: buildId } = config;
  await Promise.all([
    check('search attributes', `list of ${namespace}`, async () => {
      const names = searchAttributeChoices[config.TEMPORAL_SEARCH_ATTRIBUTES];
      const { missing, clashing } = await compareSearchAttributes(connection, namespace, names);
      if (clashing.length > 0)
        return warning(
          `workflows do without ${clashing.map(({ name, because }) => `${name} (${because})`).join(', ')}`,
          factsOf('search-attributes-missing').help,
        );
      return missing.length === 0
        ? ok('all are there')
        : skipped(`${missing.join(', ')}: not there yet; dockline start registers them`);
    }),
    check('installation', `workers of ${TASK_QUEUE}`, async () =>
      judgeInstallations(
        await findInstallation(storeLocation(config)),
        await lastPolls(client, TASK_QUEUE, 'workflows'),
      ),
    ),
    ...(everyMs > 0 ? tenants : []).map(({ id }) =>
      check('schedule', `reconcile-${id}`, async () => schedules[await stateOfSweepSchedule(client, id)]),
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

/** `own`: undefined for a new store, null if unknown. */
export function judgeInstallations(own: string | null | undefined, polls: readonly Poll[]): Finding {
  const [known = own, ...more] = new Set(polls.flatMap(({ installation }) => installation ?? []));
  const isAlone = more.length === 0 && (own === null || known === own);
  if (isAlone) return ok('no other one works here');
  return failed(
    `another installation of Dockline works here (${[known, ...more].filter((id) => id !== own).join(', ')})`,
    'Stop it, or set TEMPORAL_NAMESPACE to a namespace of its own for one of them.',
  );
}

export function judgeScheduled({ tenants }: Pick<Config, 'tenants'>, scheduled: readonly string[]): Finding {
  const ids = tenants.map(({ id }) => id);
  const others = scheduled.filter((tenant) => !ids.includes(tenant)).join(', ');
  if (!others) return ok(ids.join(', '));
  // A tenant beside the configured ones may have been configured before.
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
