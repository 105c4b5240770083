import type { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Records the threads that this process starts until the test ends, oldest first, and reports each as it starts. */
export function watchThreads(onStart: (thread: Worker) => void = () => {}): readonly Worker[] {
  const threads: Worker[] = [];
  const note = (thread: Worker) => {
    threads.push(thread);
    onStart(thread);
  };
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return threads;
}
