/**
 * A program, not a module: downloads Temporal's CLI by the SDK's own means into the folder that it is given. The SDK can
 * neither be told to give up nor be kept from setting up its runtime in the process, so the process is one of its own.
 */
import { argv } from 'node:process';
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [, , downloadDir = '.', version = 'default'] = argv;
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
