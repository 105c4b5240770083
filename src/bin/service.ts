import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Logger } from '../inbox/logger.ts';
import { openStore } from '../store/store.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import type { WorkersOptions } from '../temporal/workers.ts';
import { openInbox } from './inbox.ts';
import { startIntake } from './intake.ts';
import { keepSweeps } from './keep-sweeps.ts';
import type { Places } from './places.ts';
import { startWork } from './work.ts';

/** What a service is started with. */
export interface ServiceOptions {
  readonly config: Config;
  readonly places: Places;
  readonly logger: Logger;
  /** Called when the service cannot do its work any more and must be started anew. */
  readonly onFailure: (error: unknown) => void;
  readonly taskQueue?: string;
  readonly workflowBundle?: WorkersOptions['workflowBundle'];
}

/** Dockline, running. */
export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts inbox, dispatcher, workers and webhook in this process; they close in reverse. */
export async function startService({ taskQueue = TASK_QUEUE, ...options }: ServiceOptions) {
  await using opened = new AsyncDisposableStack();
  const file = join(options.config.DATA_FOLDER, 'dockline.db');
  const store = opened.adopt(await openStore({ file }), (it) => it.close());
  const inbox = opened.adopt(openInbox({ ...options, store, taskQueue }), (it) => it.close());
  const work = opened.adopt(startWork({ ...options, store, taskQueue, inbox }), (it) => it.close());
  opened.adopt(keepSweeps({ ...options, taskQueue }), (it) => it.close());
  const intake = opened.adopt(await startIntake({ ...options, store, inbox }), (it) => it.close());
  const running = opened.move();
  return { store, work, intake, close: () => running.disposeAsync() };
}
