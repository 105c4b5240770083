import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSimulator } from '../../sandbox/simulator/simulator.ts';
import { patientCalls } from '../limits.ts';
import { ownNamespace } from '../support/namespace.ts';
import { variablesOf } from '../support/warehouse-variables.ts';
import { anyPorts, start } from './running-command.ts';

describe('npm start', () => {
  it('takes orders through their lifecycles and prints the result as JSON; again on the same data, it prints a table on demand and runs until its npm is terminated', async () => {
    const first = await start(['--orders', '3', '--until-done', '--json']);
    expect(await first.ended, first.written.stderr).toBe(0);
    expect(first.written.stdout.trim().split('\n')).toHaveLength(1);
    const summary = JSON.parse(first.written.stdout);
    expect(summary).toMatchObject({
      orders: 3,
      webhooks: { quarantined: 0 },
      announcements: { duplicates: 0, missing: 0, outOfOrder: 0 },
      quantities: expect.any(Number),
      warehouseCalls: expect.any(Number),
      elapsedMs: expect.any(Number),
    });
    expect(summary.announcements.received).toBe(summary.announcements.expected);
    // Several events of a stock level may become one announcement.
    expect(summary.webhooks.accepted).toBeGreaterThan(summary.announcements.expected);
    expect(Object.values<number>(summary.stages).reduce((sum, count) => sum + count)).toBe(3);

    // As a supervisor runs and ends it.
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...patientCalls,
      ...anyPorts,
      DATA_FOLDER: first.folder,
    };
    const npm = spawn('npm', ['start', '--', '--orders', '1', '--report'], {
      cwd: join(import.meta.dirname, '../..'),
      env,
    });
    let written = '';
    npm.stdout.on('data', (chunk) => {
      written += chunk;
    });
    await expect.poll(() => written).toContain('Dockline is running');
    expect(written).toMatch(/^subject +reference +stage/m);
    expect(written).toMatch(/^webhooks +\d+ sent, \d+ accepted, \d+ duplicates, 0 quarantined$/m);
    expect(written).toContain('Nothing missing, nothing duplicated, nothing out of order, nothing false.');
    const [, ui = ''] = /Temporal UI +(\S+)/.exec(written) ?? [];
    expect((await fetch(ui)).status).toBe(200);
    npm.kill('SIGTERM');
    const isUp = () =>
      fetch(ui).then(
        () => true,
        () => false,
      );
    await expect.poll(isUp).toBe(false);
  });

  it('misses, doubles and takes back nothing with a warehouse that differs in everything at once', async () => {
    const { ended, written } = await start(['--scenario', 'first-day', '--orders', '6', '--until-done', '--json']);
    // What was wrong is in the result alone.
    expect(await ended, written.stderr + written.stdout).toBe(0);
    const { announcements, webhooks } = JSON.parse(written.stdout);
    expect(announcements).toMatchObject({ duplicates: 0, missing: 0, outOfOrder: 0 });
    expect(announcements.received).toBe(announcements.expected);
    expect(webhooks.quarantined).toBe(0);
  });
});

describe('npm start with a warehouse that refuses its secret', () => {
  it('takes webhooks all the same, and warns of what its checks found', async () => {
    const simulator = await startSimulator({ port: 0, seed: 5, tplId: process.pid });
    onTestFinished(() => simulator.close());
    const token = 'a-token-of-this-very-test';
    const { child, written, ended } = await start([], {
      ...(await ownNamespace()),
      WEBHOOK_VERIFY: 'token',
      WEBHOOK_TOKEN: token,
      ...variablesOf(simulator),
      WAREHOUSE_TENANT: String(process.pid),
      WAREHOUSE_CLIENT_SECRET: 'yesterdays',
    });
    await expect.poll(() => written.stderr).toContain('a check found a problem');
    const warning = JSON.parse(written.stderr.split('\n').find((line) => line.includes('a check found')) ?? '');
    expect(warning).toMatchObject({ level: 40, verdict: 'failed', area: `warehouse ${process.pid}` });
    expect([warning.found, warning.advice].join(' ')).toMatch(/CLIENT_SECRET/);
    const [, url = ''] = /^webhook +(\S+)/m.exec(written.stdout) ?? [];
    const body = JSON.stringify({ wmsEventId: 1, eventType: 'OrderCreate', data: { OrderId: '1' } });
    expect((await fetch(`${url}?token=${token}`, { method: 'POST', body })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
