import { expect, it } from 'vitest';
import { describeOnPostgres } from '../../test/store/databases.ts';
import { openInstallation } from './installation.ts';
import { openRunbook } from './runbook.ts';

describeOnPostgres('an installation', (database) => {
  it('is restored from a dump of PostgreSQL, and reconciliation finds what changed since', async () => {
    await database.locate();
    const installation = await openInstallation({ DATABASE_URL: database.url });
    const { simulator } = installation;
    const runbook = openRunbook('docs/maintenance.md', 'Back up and restore PostgreSQL', installation);
    await installation.start();
    await installation.play();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await installation.untilAnnounced();
    await runbook.step('pg_dump');
    await simulator.emit(orderId, 'OrderConfirm');
    await installation.untilAnnounced();
    await installation.stop();
    await runbook.step('pg_restore');
    await installation.start();
    const stage = () => installation.admin(`show order ${orderId}`);
    expect(await stage()).toMatch(/stage +created/);
    await runbook.step('reconcile');
    await expect.poll(stage).toMatch(/stage +confirmed/);
    expect(await runbook.step('status')).toMatch(/waiting: 0\b/);
    runbook.end();
    await installation.play();
    await installation.untilAnnounced();
  });
});
