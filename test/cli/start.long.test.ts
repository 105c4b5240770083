import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../sandbox/receiver/receiver.ts';
import { startSimulator } from '../../sandbox/simulator/simulator.ts';
import { createFolder } from '../support/temporal-server.ts';
import { variablesOf } from '../support/warehouse-variables.ts';
import { anyPorts, start } from './running-command.ts';

describe('npm start', () => {
  it('takes orders through their lifecycles and prints the result as JSON; again on the same data, it prints a table on demand and runs until it is stopped', async () => {
    const first = await start(['--orders', '3', '--until-done', '--json']);
    expect(await first.ended, first.written.stderr).toBe(0);
    expect(first.written.stdout.trim().split('\n')).toHaveLength(1);
    const summary = JSON.parse(first.written.stdout);
    expect(summary).toMatchObject({
      orders: 3,
      webhooks: { quarantined: 0 },
      announcements: { duplicates: 0, missing: 0, outOfOrder: 0 },
      warehouseCalls: expect.any(Number),
      elapsedMs: expect.any(Number),
    });
    expect(summary.announcements.received).toBe(summary.announcements.expected);
    // Several events of a stock level may become one announcement.
    expect(summary.webhooks.accepted).toBeGreaterThan(summary.announcements.expected);
    expect(Object.values<number>(summary.stages).reduce((sum, count) => sum + count)).toBe(3);

    const { child, written, ended } = await start(['--orders', '1', '--report'], { DATA_FOLDER: first.folder });
    await expect.poll(() => written.stdout).toContain('Dockline is running');
    expect(written.stdout).toMatch(/^subject +reference +stage/m);
    expect(written.stdout).toMatch(/^webhooks +\d+ sent, \d+ accepted, \d+ duplicates, 0 quarantined$/m);
    expect(written.stdout).toContain('Nothing missing, nothing duplicated, nothing out of order, nothing false.');
    const [, ui = ''] = /Temporal UI +(\S+)/.exec(written.stdout) ?? [];
    expect((await fetch(ui)).status).toBe(200);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await expect(fetch(ui)).rejects.toThrow();
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

it('npm start ends when its npm is terminated, as by a supervisor', async () => {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...anyPorts, DATA_FOLDER: join(folder.path, 'data') };
  const npm = spawn('npm', ['start', '--', '--orders', '1'], { cwd: join(import.meta.dirname, '../..'), env });
  let written = '';
  npm.stdout.on('data', (chunk) => {
    written += chunk;
  });
  const ui = () => /Temporal UI +(\S+)/.exec(written)?.[1];
  await expect.poll(ui).toBeDefined();
  npm.kill('SIGTERM');
  await expect
    .poll(() =>
      fetch(ui() ?? '').then(
        () => 'up',
        () => 'down',
      ),
    )
    .toBe('down');
});

describe('npm start with configured services', () => {
  it('uses them and simulates nothing', async () => {
    const secret = `whsec_${Buffer.from('a secret of this very test').toString('base64')}`;
    const simulator = await startSimulator({ port: 0, seed: 5, tplId: process.pid });
    onTestFinished(() => simulator.close());
    const receiver = await startReceiver({ port: 0, secret });
    onTestFinished(() => receiver.close());
    const { child, written, ended } = await start([], {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      ...variablesOf(simulator),
      WAREHOUSE_TENANT: String(process.pid),
      ANNOUNCE_URL: receiver.url,
      ANNOUNCE_SECRET: secret,
    });
    await expect.poll(() => written.stdout).toContain('Dockline is running');
    const [, destination = ''] = /webhook +(\S+)/.exec(written.stdout) ?? [];
    simulator.setWebhooks([
      {
        scope: 'Any Customer',
        description: 'test',
        destination,
        eventType: 'Order',
        events: ['OrderCreate', 'OrderCancel'],
      },
    ]);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await simulator.emit(orderId, 'OrderCancel');
    const types = () => receiver.received().map(({ type }) => type);
    await expect.poll(types).toEqual(['dockline.order.created', 'dockline.order.canceled']);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    // On a busy machine the checks of the start may find something slow.
    const other = written.stderr.split('\n').filter((line) => !line.includes('a check found a problem'));
    expect(other).toEqual(['', 'Stopping. Press Ctrl-C again to exit immediately.', 'Stopped.', '']);
  });
});

describe('npm start with a warehouse that refuses its secret', () => {
  it('takes webhooks all the same, and warns of what its checks found', async () => {
    const simulator = await startSimulator({ port: 0, seed: 5, tplId: process.pid });
    onTestFinished(() => simulator.close());
    const token = 'a-token-of-this-very-test';
    const { child, written, ended } = await start([], {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
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
  it('follows the orders of each tenant and announces them to its destination', async () => {
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
      TEMPORAL_ADDRESS: inject('temporalAddress'),
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
  });
});

describe('npm start explains in one message', () => {
  it('which variables are invalid', async () => {
    const { written, ended } = await start([], { WEBHOOK_VERIFY: 'md5', DATABASE_URL: 'mysql://localhost' });
    expect(await ended).toBe(1);
    expect(written.stderr).toMatch(
      /^dockline: The configuration has errors:\n {2}DATABASE_URL: .+\n {2}WEBHOOK_VERIFY: .+\n$/,
    );
  });

  it('what is wrong with the command line', async () => {
    const { written, ended } = await start(['--order', '3']);
    expect(await ended).toBe(2);
    expect(written.stderr).toMatch(/unknown option '--order' \(Did you mean --orders\?\)/);
    expect(written.stderr.trim().split('\n')).toHaveLength(1);
  });
});
