import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { buildGo, isThere, needsOfGo } from '../consumer/needs.ts';
import { announcementOf } from '../consumer/workflow/announcements.ts';
import { createFolder } from '../support/temporal-server.ts';

const example = 'consumer/workflow/examples/go';

it.skipIf(!isThere('go/worker.go', needsOfGo(example)))('the example in Go takes the same signals', async () => {
  const address = inject('temporalAddress');
  const { client, close } = openTemporal({ address, namespace: 'default' });
  onTestFinished(close);
  const folder = await createFolder();
  onTestFinished(folder.remove);
  await cp(example, folder.path, { recursive: true });
  const taskQueue = `go-${randomUUID()}`;
  const env = { TEMPORAL_ADDRESS: address, TASK_QUEUE: taskQueue };
  const worker = spawn(await buildGo(folder.path), { env, stdio: 'ignore' });
  onTestFinished(() => void worker.kill('SIGKILL'));

  const [created, packed] = [announcementOf(1, 'created'), announcementOf(2, 'packed')];
  const resultOf = async (...announcements: readonly unknown[]) => {
    const workflowId = randomUUID();
    const start = { workflowId, taskQueue, args: [{ tenant: '9104', kind: 'order', id: '31004581' }] };
    for (const announcement of announcements) {
      const signal = { signal: 'dockline', signalArgs: [announcement] };
      await client.workflow.signalWithStart('fulfillment', { ...start, ...signal });
    }
    return await client.workflow.getHandle(workflowId).result();
  };
  expect(await resultOf(packed, packed, created, announcementOf(3, 'confirmed'))).toBe('captured');
  expect(await resultOf(announcementOf(3, 'canceled'), packed, created)).toBe('released');
});
