import { join } from 'node:path';
import { openStore } from '../store/store.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import { startAdminApi } from './admin-api.ts';
import { startCodecEndpoint } from './codec.ts';
import { openInbox } from './inbox.ts';
import { keepRetention } from './retention.ts';
import { type Role, roles } from './roles.ts';
import type { ServiceOptions } from './service-options.ts';
import { keepSweeps } from './sweeps.ts';
import { startIntake } from './webhook.ts';
import { startWork } from './worker.ts';

/** What of Dockline runs in this process. */
export type Running = Awaited<ReturnType<typeof startRoles>>;

/** The whole of Dockline, running in this process. */
export type Service = Running & Required<Pick<Running, 'work' | 'intake' | 'admin'>>;

/** Whether everything runs in this process. */
export function isWhole(running: Running): running is Service {
  return running.work !== undefined && running.intake !== undefined && running.admin !== undefined;
}

/** Starts what this process is to do; all of it closes in reverse. Several processes share one PostgreSQL database. */
export async function startRoles({
  roles: does,
  taskQueue = TASK_QUEUE,
  ...options
}: ServiceOptions & { readonly roles: readonly Role[] }) {
  await using opened = new AsyncDisposableStack();
  const { DATABASE_URL: url, DATA_FOLDER } = options.config;
  const store = opened.adopt(await openStore(url ? { url } : { file: join(DATA_FOLDER, 'dockline.db') }), (it) =>
    it.close(),
  );
  const { processes } = store;
  // Who asks the warehouse has to know who else does.
  if (does.includes('worker')) {
    await processes.join();
    opened.defer(() => processes.leave());
  }
  const mode = options.config.TEMPORAL_ACTIVITIES;
  const doesAll = roles.every((role) => does.includes(role));
  const isInline = () => (mode === undefined ? doesAll && processes.isAlone() : mode === 'inline');
  const dispatches = does.includes('dispatcher');
  const inbox = opened.adopt(openInbox({ ...options, store, taskQueue, dispatches, isInline }), (it) => it.close());
  if (dispatches) opened.adopt(keepRetention(store, options), (it) => it.close());
  const work = does.includes('worker')
    ? opened.adopt(startWork({ ...options, store, taskQueue, inbox, isInline }), (it) => it.close())
    : undefined;
  if (work) opened.adopt(keepSweeps({ ...options, taskQueue }), (it) => it.close());
  const admin = does.includes('admin')
    ? opened.adopt(await startAdminApi({ ...options, store, inbox }), (it) => it.close())
    : undefined;
  // Last, so that it is the first to close: before anything else goes, the webhook says that it will.
  const intake = does.includes('webhook')
    ? opened.adopt(await startIntake({ ...options, store, inbox }), (it) => it.close())
    : undefined;
  const codec = does.includes('admin') ? await startCodecEndpoint(options) : undefined;
  if (codec) opened.defer(() => codec.close());
  const running = opened.move();
  const parts = {
    ...{ ...(work && { work }), ...(intake && { intake }) },
    ...{ ...(admin && { admin }), ...(codec && { codec }) },
  };
  return { store, ...parts, close: () => running.disposeAsync() };
}

/** Starts everything in this process. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const running = await startRoles({ ...options, roles });
  if (!isWhole(running)) throw new Error('not everything was started');
  return running;
}
