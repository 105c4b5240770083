import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { buildGo, isThere, type Needs, needsOfGo } from '../consumer/needs.ts';
import { announcementOf } from '../consumer/workflow/announcements.ts';
import { openFolder } from '../support/temporal-server.ts';

/** Example of a worker: what it needs, and the command that runs it. */
interface Example {
  readonly file: string;
  readonly needs: Needs;
  command(): Promise<readonly [string, ...string[]]>;
}

const folder = 'consumer/workflow/examples';

const examples: readonly Example[] = [
  { file: 'go/worker.go', needs: needsOfGo(`${folder}/go`), command: async () => [await buildCopy(`${folder}/go`)] },
  {
    file: 'worker.py',
    needs: ["Temporal's SDK for Python", 'python3', '-c', 'import temporalio'],
    command: async () => ['python3', resolve(folder, 'worker.py')],
  },
];

/** Builds a copy of a program in Go, for the time of a test; returns its path. */
async function buildCopy(source: string): Promise<string> {
  const copy = await openFolder();
  await cp(source, copy, { recursive: true });
  return await buildGo(copy);
}

describe.each(examples)('the worker $file', ({ file, needs, command }) => {
  it.skipIf(!isThere(join(folder, file), needs))('takes the same signals, each once and in order', async () => {
    const address = inject('temporalAddress');
    const { client, close } = openTemporal({ address, namespace: 'default' });
    onTestFinished(close);
    const taskQueue = `worker-${randomUUID()}`;
    const [program, ...args] = await command();
    const env = { PATH: process.env.PATH, TEMPORAL_ADDRESS: address, TASK_QUEUE: taskQueue };
    const worker = spawn(program, args, { env, stdio: 'ignore' });
    onTestFinished(() => void worker.kill('SIGKILL'));

    const resultOf = async (...announcements: readonly unknown[]) => {
      const workflowId = randomUUID();
      const start = { workflowId, taskQueue, args: [{ tenant: '9104', kind: 'order', id: '31004581' }] };
      for (const announcement of announcements) {
        const signal = { signal: 'dockline', signalArgs: [announcement] };
        await client.workflow.signalWithStart('fulfillment', { ...start, ...signal });
      }
      return await client.workflow.getHandle(workflowId).result();
    };
    const [created, packed, confirmed] = [
      announcementOf(1, 'created'),
      announcementOf(2, 'packed'),
      announcementOf(3, 'confirmed'),
    ];
    expect(await resultOf({}, packed, packed, announcementOf(4, 'canceled'), created, confirmed)).toBe('captured');
    expect(await resultOf(announcementOf(3, 'canceled'), packed, created)).toBe('released');
  });
});
