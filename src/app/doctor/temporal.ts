import { isGrpcServiceError } from '@temporalio/client';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../domain/errors.ts';
import { factsOf } from '../../domain/health/condition.ts';
import { searchAttributeChoices } from '../../domain/search-attributes.ts';
import { openTemporal, type Temporal } from '../../temporal/connection.ts';
import { compareSearchAttributes } from '../../temporal/search-attributes.ts';
import { findCurrentVersion } from '../../temporal/workers.ts';
import { temporalTarget } from '../service-options.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';

export async function checkTemporal(reporter: Reporter, config: Config, timeoutMs: number): Promise<void> {
  const target = temporalTarget(config);
  await using opened = new AsyncDisposableStack();
  const options = { ...target, callTimeoutMs: timeoutMs, retries: false };
  const temporal = opened.adopt(openTemporal(options), (it) => it.close());
  const isThere = await reporter.check<boolean>('namespace', `${target.namespace} at ${target.address}`, () =>
    findNamespace(temporal, target.namespace, config.TEMPORAL_ADDRESS === undefined),
  );
  if (isThere) await inspectNamespace(reporter, temporal, config);
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

const NOISE = /^No connection established\. Last error: Error: |\.? Resolution note: $/g;

/** Since then updates need no setting. */
const OLDEST = '1.25';

/** An unknown form counts as new enough. */
export function judgeServer(version: string): Finding {
  const [, number = OLDEST] = /^v?(\d+\.\d+)/.exec(version) ?? [];
  if (number.localeCompare(OLDEST, 'en', { numeric: true }) >= 0)
    return ok(`answered, version ${version || 'unknown'}`);
  return warning(
    `Temporal's server ${version} is older than ${OLDEST}, so that orders cannot be refreshed or released`,
    'Upgrade the server; orders are followed and announced meanwhile.',
  );
}

async function inspectNamespace({ check }: Reporter, { connection }: Temporal, config: Config): Promise<void> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_BUILD_ID: buildId } = config;
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
    check('worker version', buildId ?? 'TEMPORAL_BUILD_ID is not set', async () =>
      compareVersions(buildId, await findCurrentVersion(connection, namespace)),
    ),
  ]);
}

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
