import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../sandbox/receiver/receiver.ts';
import { startSimulator } from '../../sandbox/simulator/simulator.ts';
import { patientCalls } from '../limits.ts';
import { ownNamespace } from '../support/namespace.ts';
import { createFolder } from '../support/temporal-server.ts';
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
    expect(warning).toMatchObject({ level: 40, verdict: 'failed', area: 'warehouse' });
    expect([warning.found, warning.advice].join(' ')).toMatch(/CLIENT_SECRET/);
    const [, url = ''] = /^webhook +(\S+)/m.exec(written.stdout) ?? [];
    const body = JSON.stringify({ wmsEventId: 1, eventType: 'OrderCreate', data: { OrderId: '1' } });
    expect((await fetch(`${url}?token=${token}`, { method: 'POST', body })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

describe('npm start with warehouses in a file', () => {
  it('simulates nothing, follows the orders of each tenant and announces them to its destination', async () => {
    const one = process.pid * 10 + 1;
    const other = process.pid * 10 + 2;
    const simulator = await startSimulator({ port: 0, seed: 5, tenants: [{ tplId: one }, { tplId: other }] });
    onTestFinished(() => simulator.close());
    const secrets = ['of one', 'of the other'].map(
      (text) => `whsec_${Buffer.from(text.padEnd(24)).toString('base64')}`,
    );
    const receivers = await Promise.all(secrets.map((secret) => startReceiver({ port: 0, secret })));
    onTestFinished(async () => void (await Promise.all(receivers.map((receiver) => receiver.close()))));

    const { baseUrl, authUrl } = simulator;
    const { type: _type, tpl: _tpl, clientSecret, ...credential } = simulator.credentialOf('singleTenantDynamic');
    const file = {
      defaults: { baseUrl, authUrl, ...credential, clientSecret: '$' + '{CLIENT_SECRET}' },
      warehouses: [one, other].map((tenant, index) => ({
        tenant,
        tpl: simulator.tenant(tenant).credentialOf('singleTenantDynamic').tpl,
        announce: { url: receivers[index]?.url, secret: secrets[index] },
      })),
    };
    const folder = await createFolder();
    onTestFinished(folder.remove);
    const path = join(folder.path, 'warehouses.json');
    await writeFile(path, JSON.stringify(file));
    const { child, written, ended } = await start([], {
      ...(await ownNamespace()),
      CONFIG_FILE: path,
      CLIENT_SECRET: clientSecret,
    });
    await expect.poll(() => written.stdout).toContain('Dockline is running');
    for (const [index, [, url = '']] of [...written.stdout.matchAll(/^webhook +(\S+)/gm)].entries()) {
      const tenant = simulator.tenant([one, other][index] ?? 0);
      tenant.setWebhooks([{ scope: 'Any Customer', destination: url, events: ['OrderCreate'] }]);
      await tenant.emit(tenant.createOrder(), 'OrderCreate');
    }
    const sources = () => receivers.map((receiver) => receiver.received().map(({ source }) => source));
    await expect.poll(sources).toEqual([[`/dockline/${one}`], [`/dockline/${other}`]]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    // On a busy machine the checks of the start may find something slow.
    const lines = written.stderr.split('\n').filter((line) => !line.includes('a check found a problem'));
    expect(lines).toEqual(['', 'Stopping. Press Ctrl-C again to exit immediately.', 'Stopped.', '']);
  });
});
