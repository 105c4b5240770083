import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { DEPLOYMENT_NAME } from './workers.ts';

/** NOT_FOUND and UNIMPLEMENTED: no worker ever named a version, or the server does not know worker versioning. */
const ABSENT = [5, 12];

/** Returns the build id that Temporal gives the workflow tasks of Dockline's workers; undefined if that is any without one. */
export async function findCurrentVersion(
  { workflowService }: Connection,
  namespace: string,
): Promise<string | undefined> {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      ...{ namespace, deploymentName: DEPLOYMENT_NAME },
    });
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId || undefined;
  } catch (error) {
    if (isGrpcServiceError(error) && ABSENT.includes(error.code)) return undefined;
    throw error;
  }
}
