import { expect, it } from 'vitest';
import { isOutage } from '../../src/temporal/connection.ts';
import { createOwnership, lastPolls, readAway } from '../../src/temporal/pollers.ts';
import { startSystem } from '../support/system.ts';

it('a second installation on a task queue says so, and does not poll, and wakes no workflow', async () => {
  const first = await startSystem();
  const { worker, webhook, store } = first.service();
  await worker.started;
  const [{ tenant } = { tenant: '' }] = first.tenants;
  const name = `test-${tenant}`;
  await expect
    .poll(() => lastPolls(webhook.client, name, 'workflows'))
    .toMatchObject([{ installation: store.installation }]);
  const lines: string[] = [];
  const second = await startSystem({ simulator: { tplId: Number(tenant) }, log: (line) => lines.push(line) });
  await expect
    .poll(() => lines.join(''))
    .toContain(`another installation of Dockline (${store.installation}) works on`);
  expect(second.service().worker.isReady()).toBe(false);
  const foreign = { client: webhook.client, taskQueue: name, installation: second.service().store.installation };
  const waking = createOwnership(foreign).assertOwn();
  await expect(waking).rejects.toSatisfy(isOutage);
  expect(await lastPolls(webhook.client, name, 'workflows')).toHaveLength(1);

  const awayFor = (installation: string) =>
    readAway(webhook.client, { installation, queues: [{ name, type: 'workflows' }], now: Date.now });
  await expect
    .poll(() => awayFor(second.service().store.installation))
    .toMatchObject({
      part: 'workers',
      because: expect.stringContaining('set TEMPORAL_NAMESPACE to a namespace of its own'),
    });
});
