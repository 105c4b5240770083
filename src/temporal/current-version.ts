import { status } from '@grpc/grpc-js';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { DEPLOYMENT_NAME } from './workers.ts';

/** No worker ever named a version, or the server does not know worker versioning. */
const ABSENT = [status.NOT_FOUND, status.UNIMPLEMENTED];

/** Returns the build id that Temporal gives the workflow tasks of Dockline's workers; undefined if that is any without one. */
export async function findCurrentVersion(
  { workflowService }: Connection,
  namespace: string,
): Promise<string | undefined> {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace,
      deploymentName: DEPLOYMENT_NAME,
    });
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId || undefined;
  } catch (error) {
    if (isGrpcServiceError(error) && ABSENT.includes(error.code)) return undefined;
    throw error;
  }
}
