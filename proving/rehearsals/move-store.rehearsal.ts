import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeOnPostgres } from '../../test/store/databases.ts';
import { openInstallation } from './installation.ts';
import { openRunbook } from './runbook.ts';

describeOnPostgres('an installation', (database) => {
  it('moves from SQLite to PostgreSQL with its orders under way, and loses and repeats nothing', async () => {
    const installation = await openInstallation();
    const { folder, simulator, receiver } = installation;
    const runbook = openRunbook('docs/maintenance.md', 'Move from SQLite to PostgreSQL', installation);
    await installation.start();
    await installation.play();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await installation.untilAnnounced();
    receiver.setAnswer(503);
    await simulator.emit(orderId, 'OrderPickJobDone');

    await database.locate();
    await installation.configure({ DATABASE_URL: database.url });
    await installation.stop();
    receiver.setAnswer(204);
    expect(await runbook.step('move-store')).toMatch(/inbox +\d+/);
    const again = await installation.run('npx dockline move-store');
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
    await rm(join(folder, '.dockline', 'dockline.db'));
    await installation.start();
    await runbook.step('doctor');
    expect(await runbook.step('status')).toMatch(/order +\w+ +\d+/);
    runbook.end();
    await simulator.emit(orderId, 'OrderConfirm');
    await installation.play();
    await installation.untilAnnounced();
    const milestones = receiver.received().filter(({ subject }) => subject === `orders/${orderId}`);
    expect(milestones.map(({ sequence }) => sequence)).toEqual(milestones.map((_, index) => index + 1));
    expect(receiver.tally().duplicates).toBe(0);
  });
});
