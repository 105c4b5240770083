import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { findPort } from '../../../sandbox/temporal-server/port.ts';
import { openTemporal } from '../../../src/temporal/connection.ts';
import { listen } from '../../support/listen.ts';
import { openFolder, startTemporalServer } from '../../support/temporal-server.ts';

const binary = inject('temporalBinary');
let folder: string;

beforeEach(async () => {
  folder = await openFolder();
});

async function start(options: Partial<Parameters<typeof startTemporalServer>[0]> = {}) {
  const server = await startTemporalServer({ binary, folder: folder, ...options });
  onTestFinished(() => server.stop());
  return server;
}

function open(address: string, namespace = 'default') {
  const temporal = openTemporal({ address, namespace });
  onTestFinished(() => temporal.close());
  return temporal;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const portOf = (address: string) => Number(address.split(':')[1]);

describe('startEmbeddedServer', () => {
  it('serves its namespace with the search attributes, and its UI, and can be stopped more than once', async () => {
    const { address, uiUrl, stop, pid } = await start({ namespace: 'dock' });
    const { connection } = open(address, 'dock');
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'dock' });
    expect(customAttributes).toMatchObject({ Stage: 2, LastEventTime: 6 });
    expect((await fetch(uiUrl)).status).toBe(200);
    await Promise.all([stop(), stop()]);
    await stop();
    expect(isAlive(pid)).toBe(false);
  });

  it('keeps its workflows over a restart on the same port, a client reconnects, and an unexpected end is logged', async () => {
    const first = await start();
    const { client } = open(first.address);
    await client.workflow.start('sleeper', { taskQueue: 'nobody', workflowId: 'kept' });
    await first.stop();
    const lines: string[] = [];
    const { pid } = await start({ port: portOf(first.address), log: (line) => void lines.push(line) });
    const description = await client.workflow.getHandle('kept').describe();
    expect(description.status.name).toBe('RUNNING');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => lines).toEqual([expect.stringContaining('ended unexpectedly')]);
  });

  it('sets the database of another version of the server aside, once', async () => {
    const first = await start();
    const { client } = open(first.address);
    await client.workflow.start('sleeper', { taskQueue: 'nobody', workflowId: 'gone' });
    await first.stop();
    await writeFile(join(folder, 'temporal.db.version'), '1.2');
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const second = await start({ port: portOf(first.address), log });
    await expect(client.workflow.getHandle('gone').describe()).rejects.toThrow('not found');
    expect(lines).toEqual([expect.stringContaining('of another server (1.2) and was set aside as temporal.db.of-1.2')]);
    await client.workflow.start('sleeper', { taskQueue: 'nobody', workflowId: 'kept' });
    await second.stop();
    await start({ port: portOf(first.address), log });
    expect((await client.workflow.getHandle('kept').describe()).status.name).toBe('RUNNING');
    expect(lines).toHaveLength(1);
  });

  it('names the variable of a port that is taken', async () => {
    const port = await listen(createServer());
    await expect(start({ port })).rejects.toThrow(
      `Port ${port} is in use by another program; set TEMPORAL_PORT to a free one, or TEMPORAL_ADDRESS to 127.0.0.1:${port} if`,
    );
    await expect(start({ uiPort: port })).rejects.toThrow('set TEMPORAL_UI_PORT');
  });

  it('reports the output of a server that does not start', async () => {
    const dynamicConfig = { 'not a key=': 1 };
    await expect(start({ binary: join(folder, 'missing') })).rejects.toThrow('not found');
    await expect(start({ dynamicConfig })).rejects.toThrow(/ended before it was ready: .*dynamic config/s);
  });

  it('ends with a process that is killed, and can be restarted immediately on the same folder and port', async () => {
    const port = await findPort(0, '');
    const program = join(import.meta.dirname, '../../support/start-and-hang.ts');
    const child = spawn(process.execPath, [program, binary, folder, `${port}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = await once(child.stdout, 'data');
    expect(isAlive(Number(pid))).toBe(true);
    child.kill('SIGKILL');
    const again = await start({ port });
    expect(portOf(again.address)).toBe(port);
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });
});
