import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../sandbox/receiver/receiver.ts';
import { startSimulator } from '../../sandbox/simulator/simulator.ts';
import { ownNamespace } from '../support/namespace.ts';
import { openFolder } from '../support/temporal-server.ts';
import { variablesOf } from '../support/warehouse-variables.ts';
import { run } from './running-command.ts';

/** Starts a simulated warehouse and a Dockline that works with it. */
async function startDockline() {
  const folder = await openFolder();
  const simulator = await startSimulator({ port: 0, seed: 5 });
  onTestFinished(() => simulator.close());
  const secret = `whsec_${Buffer.from('a secret of this very test').toString('base64')}`;
  const receiver = await startReceiver({ port: 0, secret });
  onTestFinished(() => receiver.close());
  const env = {
    ...(await ownNamespace()),
    DATA_FOLDER: join(folder, 'data'),
    WEBHOOK_PORT: '0',
    ADMIN_PORT: '0',
    ...variablesOf(simulator),
    ANNOUNCE_URL: receiver.url,
    ANNOUNCE_SECRET: secret,
    RECONCILE_EVERY_MS: '0',
    RETRY_SLOW_MS: '100',
  };
  const dockline = run('start', [], env);
  await expect.poll(() => dockline.written.stdout).toContain('Dockline is running');
  return { simulator, receiver, env, dockline };
}

describe('dockline reconcile', () => {
  it('is canceled by Ctrl-C and leaves no sweep running; otherwise it shows its progress and what it ingested, and exits with 0', async () => {
    const { simulator, receiver, env, dockline } = await startDockline();
    simulator.setFaults({ down: true });
    const canceled = run('reconcile', [], env);
    await expect.poll(() => canceled.written.stderr).toMatch(/attempt \d+, since .+ answered 503/);
    canceled.child.kill('SIGINT');
    expect(await canceled.ended).toBe(1);
    expect(canceled.written.stderr).toContain('dockline: warehouse 9104: it was canceled');
    simulator.setFaults({ down: false });

    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });

    simulator.setFaults({ latencyMs: 400 });
    const first = run('reconcile', ['--since', '2h'], env);
    expect(await first.ended, first.written.stderr).toBe(0);
    simulator.setFaults({ latencyMs: 0 });
    expect(first.written.stderr).toMatch(/^warehouse 9104, .+: \d+ listed, \d+ open, \d+ differ/m);
    expect(first.written.stdout).not.toContain('warehouse 9104, ');
    expect(first.written.stdout).toMatch(/^Warehouse 9104, changes since \S+Z and open subjects:$/m);
    expect(first.written.stdout).toMatch(/^order +1 +\d +1 +0 +1$/m);
    expect(first.written.stdout).toContain('The workflow of each ingested subject fetches it now.');
    const types = () => receiver.received().map(({ type }) => type);
    await expect.poll(types).toEqual(['dockline.order.created', 'dockline.order.confirmed']);

    const [, url = ''] = /^admin +(\S+)/m.exec(dockline.written.stdout) ?? [];
    const audit = run('admin', ['audit'], { ADMIN_URL: url });
    expect(await audit.ended, audit.written.stderr).toBe(0);
    expect(audit.written.stdout).toMatch(/ command +\S+ +reconcile +warehouse 9104 +done +started$/m);

    const second = run('reconcile', ['--since', '2h', '--kind', 'order', 'receipt', '--tenant', '9104', '--json'], env);
    expect(await second.ended, second.written.stderr).toBe(0);
    expect(second.written.stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(second.written.stdout)).toEqual({
      sweeps: [
        {
          tenant: '9104',
          startedAt: expect.any(Number),
          since: expect.any(Number),
          tallies: {
            order: { rows: 1, open: 0, differing: 0, missing: 0, fed: 0 },
            receipt: { rows: 0, open: 0, differing: 0, missing: 0, fed: 0 },
          },
        },
      ],
    });
  });
});

describe('dockline reconcile explains in one message', () => {
  it('that Dockline is not running', async () => {
    const { written, ended } = run('reconcile', [], { TEMPORAL_PORT: '1' });
    expect(await ended).toBe(1);
    expect(written.stderr).toBe('dockline: Temporal does not answer at 127.0.0.1:1; is Dockline running?\n');
  });
});
