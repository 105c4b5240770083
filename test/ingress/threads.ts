import type { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** The threads that this process starts until the test is over, oldest first; each is told of as it starts. */
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
