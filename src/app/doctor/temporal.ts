import { isGrpcServiceError } from '@temporalio/client';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../domain/errors.ts';
import { openTemporal, type Temporal } from '../../temporal/connection.ts';
import { temporalTarget } from '../service-options.ts';
import { type Check, checksOf, type Finding } from './check.ts';

const CALL_MS = 8000;

export async function checkTemporal(config: Config): Promise<readonly Check[]> {
  const { namespace, ...target } = temporalTarget(config);
  await using opened = new AsyncDisposableStack();
  const options = { ...target, namespace, callTimeoutMs: CALL_MS, retries: false };
  const temporal = opened.adopt(openTemporal(options), (it) => it.close());
  const check = checksOf('temporal');
  return [
    await check(`namespace ${namespace} at ${target.address}`, () =>
      findNamespace(temporal, namespace, config.TEMPORAL_ADDRESS === undefined),
    ),
  ];
}

async function findNamespace({ connection }: Temporal, namespace: string, isEmbedded: boolean): Promise<Finding> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    return ['ok', `answered, version ${serverVersion || 'unknown'}`];
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND)
      return ['failed', 'is missing in Temporal', 'Create it, or set TEMPORAL_NAMESPACE to one that it has.'];
    if (isEmbedded) return ['skipped', 'nothing runs there: dockline start runs an embedded server'];
    return ['failed', `does not answer: ${isGrpcServiceError(error) ? error.details : messageOf(error)}`];
  }
}

const NOT_FOUND = 5;
