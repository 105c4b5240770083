import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startOwnTemporal } from '../../test/support/own-temporal.ts';
import { openInstallation, openWithOrder } from './installation.ts';
import { openRunbook } from './runbook.ts';

describe('an installation', () => {
  it('is upgraded with its orders under way, and rolled back where the new version did not migrate', async () => {
    const installation = await openWithOrder();
    const { simulator, receiver, orderId } = installation;
    const upgrade = openRunbook('docs/maintenance.md', 'Upgrade', installation);
    expect(await upgrade.step('status')).toMatch(/unsent: 0\b/);
    expect(await upgrade.step('replay')).toContain('1 of 1 running workflows replay with this version.');
    await installation.stop();
    await installation.start();
    await simulator.emit(orderId, 'OrderPickJobDone');
    await upgrade.step('doctor');
    await upgrade.step('status');
    upgrade.end();

    const rollBack = openRunbook('docs/maintenance.md', 'Roll back', installation);
    await installation.stop();
    await installation.start();
    await simulator.emit(orderId, 'OrderConfirm');
    await installation.untilAnnounced();
    expect(await rollBack.step('status')).toMatch(/waiting: 0\b[\s\S]*unsent: 0\b/);
    rollBack.end();
    expect(receiver.tally().duplicates).toBe(0);
  });

  it('whose database a newer version migrated does not start with the older one, and is not changed by it', async () => {
    const installation = await openInstallation();
    await installation.start();
    await installation.stop();
    const file = join(installation.folder, '.dockline', 'dockline.db');
    const newer = new DatabaseSync(file);
    newer.exec(`insert into kysely_migration (name, timestamp) values ('9999-newer', 'now')`);
    newer.close();
    await expect(installation.start()).rejects.toThrow('was written by a newer version of Dockline');
    const restored = new DatabaseSync(file);
    restored.exec(`delete from kysely_migration where name = '9999-newer'`);
    restored.close();
    await installation.start();
  });

  it('moves to another Temporal server with events and announcements that wait', async () => {
    const installation = await openWithOrder();
    const { simulator, receiver, orderId } = installation;
    receiver.setAnswer(503);
    await simulator.emit(orderId, 'OrderPickJobDone');
    const runbook = openRunbook('docs/maintenance.md', 'Move to another Temporal', installation);
    await installation.stop();
    await installation.configure({ TEMPORAL_ADDRESS: (await startOwnTemporal()).address });
    receiver.setAnswer(204);
    await installation.start();
    await runbook.step('doctor');
    await runbook.step('status');
    runbook.end();
    await simulator.emit(orderId, 'OrderConfirm');
    await installation.untilAnnounced();
    const { output } = await installation.run(`npx dockline temporal workflow describe -w order:9104:${orderId}`);
    expect(output).toMatch(/Type +order/);
  });

  it('lets its operator decide when orders move to another build', async () => {
    const installation = await openInstallation({ TEMPORAL_BUILD_ID: '2026-11-21' });
    const { simulator, receiver } = installation;
    const runbook = openRunbook('docs/runbooks.md', 'Deploy a change of a workflow', installation);
    await installation.start();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const describeVersion = async () =>
      (await installation.run('npx dockline temporal worker deployment describe --name dockline')).code;
    await expect.poll(describeVersion).toBe(0);
    expect(receiver.received()).toEqual([]);
    expect(await runbook.step('describe')).toContain('2026-11-21');
    await runbook.step('set-current-version');
    runbook.end();
    await installation.untilAnnounced();
  });

  it('shows where everything stands, and sends again what was dead-lettered', async () => {
    const installation = await openInstallation({ ANNOUNCE_FOR_MS: '2500' });
    const { simulator, receiver } = installation;
    await installation.start();
    const orderId = simulator.createOrder();
    receiver.setAnswer(503);
    await simulator.emit(orderId, 'OrderCreate');
    const look = openRunbook('docs/runbooks.md', 'Where to look first', installation);
    const deadLettered = () => installation.admin('announcements --state dead-lettered');
    await expect.poll(deadLettered).toContain(orderId);
    expect(await look.step('status')).toMatch(/deadLettered: 1\b/);
    await look.step('stalled');
    await look.step('failing');
    expect(await look.step('unannounced')).toContain(orderId);
    expect(await look.step('show', { replace: { 31004581: orderId } })).toContain('answered 503');
    look.end();
    receiver.setAnswer(204);
    const runbook = openRunbook('docs/runbooks.md', 'A destination was down for a day', installation);
    expect(await runbook.step('dead-lettered')).toContain(orderId);
    expect(await runbook.step('resend')).toMatch(/^total +1$/m);
    expect(await runbook.step('--yes')).toMatch(/^done +1$/m);
    runbook.end();
    await installation.untilAnnounced();
  });
});
