import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everyWebhookRecord } from '../../../sandbox/simulator/webhooks/record.ts';
import { openSurroundings } from '../../cli/surroundings.ts';
import { canConfine, confine, readUnit } from './confinement.ts';

const UNIT = 'deploy/systemd/dockline.service';

/** Starts what the unit starts, confined as by systemd. Returns the folder that it may write, and its output. */
async function startConfined(env: Readonly<Record<string, string>>) {
  // Not in /tmp, over which another is mounted.
  const data = await mkdtemp('/var/tmp/dockline-unit-');
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  for (const folder of ['lib', 'cache']) await mkdir(join(data, folder));
  const confined = confine(readUnit(UNIT), data);
  const child = spawn('bwrap', confined.args, {
    env: { PATH: process.env.PATH, ...env, ...confined.env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    written.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    written.stderr += chunk;
  });
  const filter = child.stdio[3];
  if (filter instanceof Writable) filter.end(confined.filter);
  return { child, data, written };
}

describe.runIf(canConfine)('the unit, confined as by systemd', () => {
  it('serves webhooks to other machines, follows orders, and writes its own folders only', async () => {
    const { simulator, receiver, env } = await openSurroundings();
    const { child, data, written } = await startConfined({
      ...env,
      WEBHOOK_HOST: '0.0.0.0',
      WEBHOOK_PORT: '0',
      ADMIN_PORT: '0',
    });
    const found = () => /webhook +(\S+)/.exec(written.stdout)?.[1];
    await expect.poll(() => [found() !== undefined, child.exitCode, written.stderr]).toEqual([true, null, '']);

    simulator.setWebhooks(everyWebhookRecord(found() ?? ''));
    await simulator.emit(simulator.createOrder(), 'OrderFullyAllocated');
    await expect.poll(() => receiver.tally().received).toBeGreaterThan(0);
    expect(await readdir(join(data, 'lib'))).toContain('dockline.db');
    expect((await stat(join(data, 'lib/dockline.db'))).mode & 0o077).toBe(0);
  });
});
