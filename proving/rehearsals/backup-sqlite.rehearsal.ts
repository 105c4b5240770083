import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openInstallation } from './installation.ts';
import { openRunbook } from './runbook.ts';

it('a SQLite database that was lost is restored from a backup in use, and reconciliation finds what changed since', async () => {
  const installation = await openInstallation();
  const { folder, simulator, receiver } = installation;
  const runbook = openRunbook('docs/maintenance.md', 'Back up and restore SQLite', installation);
  await installation.start();
  await installation.play();
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  await installation.untilAnnounced();

  const output = await runbook.step('backup');
  const [, file = ''] = /^(\S+) has everything/m.exec(output) ?? [];
  const elsewhere = join(folder, file);
  await simulator.emit(orderId, 'OrderConfirm');
  await installation.untilAnnounced();
  const before = receiver.received().map(({ id }) => id);

  await installation.process.kill();
  await installation.configure({ BACKUP: elsewhere });
  await runbook.step('mv ');
  await runbook.step('cp ');
  expect(await readdir(join(folder, '.dockline'))).not.toContain('dockline.db-wal');
  await installation.start();
  expect(await runbook.step('reconcile')).toMatch(/order/);
  await expect.poll(() => installation.admin(`show order ${orderId}`)).toMatch(/stage +confirmed/);
  expect(await runbook.step('status')).toMatch(/waiting: 0\b/);
  runbook.end();
  await installation.play();
  await installation.untilAnnounced();
  expect(
    receiver
      .received()
      .map(({ id }) => id)
      .slice(0, before.length),
  ).toEqual(before);
});
