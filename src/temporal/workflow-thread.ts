import v8 from 'node:v8';
import { Script } from 'node:vm';
import '@temporalio/worker/lib/workflow/workflow-worker-thread.js';

/**
 * Thread in which workflows run: that of the SDK, which calls into a workflow's context with a time limit. For that, Node starts and ends a
 * thread each time: some eighty microseconds, many times for each order. The limit ends endless loops, and the only workflows that run here
 * are our own, which have none.
 */
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  if (typeof options !== 'object') return runInContext.call(this, context, options);
  const { timeout: _, ...others } = options;
  return runInContext.call(this, context, others);
};

// The SDK would call back for every promise, to keep its stack for a query; `no-stacks` has left nothing to keep.
v8.promiseHooks.createHook = () => () => {};
