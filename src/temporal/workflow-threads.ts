import threads from 'node:worker_threads';

const REPLACED = /\bworkflow-worker-thread\.js$/;
const own = new URL(import.meta.url.replace('workflow-threads', 'workflow-thread'));
const { Worker } = threads;

// Loaded for its effect: the SDK, which has no option for it and takes the class from the module at each call, then runs workflows in threads
// of `workflow-thread.ts`.
threads.Worker = class extends Worker {
  constructor(file: string | URL, options?: threads.WorkerOptions) {
    super(REPLACED.test(String(file)) ? own : file, options);
  }
};
