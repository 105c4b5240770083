import v8 from 'node:v8';
import { Script } from 'node:vm';
import '@temporalio/worker/lib/workflow/workflow-worker-thread.js';

/**
 * The SDK calls into a workflow's context with a time limit, for which Node starts and ends a thread: some eighty
 * microseconds, many times for each order. The limit only ends endless loops, which our own workflows do not have.
 */
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  if (typeof options !== 'object') return runInContext.call(this, context, options);
  const { timeout: _, ...others } = options;
  return runInContext.call(this, context, others);
};

// The SDK would call back for every promise, to keep its stack for a query; `no-stacks` has left nothing to keep.
v8.promiseHooks.createHook = () => () => {};
