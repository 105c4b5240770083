/**
 * Program that downloads Temporal's CLI with the SDK into the given folder. It runs as a process of its own, since the SDK's
 * download cannot be aborted and sets up the SDK's runtime.
 */
import { argv } from 'node:process';
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [, , downloadDir = '.', version = 'default'] = argv;
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
