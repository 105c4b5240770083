import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { quietRuntime } from '../../../test/support/quiet-runtime.ts';
import type { Announced } from '../ledger.ts';

/** Activities of the workflows that wait. */
export type WaitingActivities = ReturnType<typeof createActivities>;

function createActivities(onAnnounced: (announced: Announced) => void) {
  return {
    async arrived(came: readonly { readonly id: string; readonly milestone: string }[]): Promise<void> {
      for (const { id: orderId, milestone } of came) onAnnounced({ orderId, milestone });
    },
  };
}

/** Task queue of the workflows that wait. */
export const taskQueue = 'waiting';

/** Starts a worker of somebody else, whose workflows report what signals them, until the given stack is closed. */
export async function startWaiting(
  address: string,
  onAnnounced: (announced: Announced) => void,
  opened: AsyncDisposableStack,
): Promise<void> {
  // Only now, since a runtime that no worker uses keeps the process.
  quietRuntime();
  const connection = opened.adopt(await NativeConnection.connect({ address }), (it) => it.close());
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowsPath: fileURLToPath(new URL('waiting-workflow.ts', import.meta.url)),
    activities: createActivities(onAnnounced),
  });
  const running = worker.run();
  opened.defer(async () => {
    worker.shutdown();
    await running;
  });
}
