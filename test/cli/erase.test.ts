import { expect, it } from 'vitest';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { toDefault } from '../support/make.ts';
import { runAdmin } from './running-command.ts';

/** Opens the API over two orders of a customer; the first one's announcement is sent. */
async function openOrders() {
  const store = await openTemporaryStore();
  const snapshot = { customerId: '418', customerName: 'Jane Doe' } as Snapshot;
  const [sent] = await record(store, 'order:9104:31', { snapshot });
  await record(store, 'order:9104:32', { snapshot });
  await store.outbox.sent(toDefault(sent ?? ''), { status: 204, ms: 1 });
  const { url, get, logged } = await openAdmin({ store });
  return { get, logged, run: (...args: readonly string[]) => runAdmin(args, { ADMIN_URL: url }) };
}

it('dockline admin erase counts first, erases with --yes, and show says who did it', async () => {
  const { get, logged, run } = await openOrders();
  expect((await run('erase', 'order', '31')).stdout).toMatch(
    / false .*\n\nNothing was erased. Repeat it with --yes.\n$/,
  );
  expect((await get('/announcements')).body.items).toHaveLength(2);
  expect(await run('erase', 'order', '31', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ true\n$/),
  });
  expect((await get('/announcements')).body.items).toHaveLength(1);
  expect((await run('show', 'order', '31')).stdout).toMatch(/^Erasures\n.*\n.*\n.*an operator on this machine/m);
  expect(logged.join()).toContain('/subjects/:tenant/:kind/:id/erase');
});

it('dockline admin erase --customer erases what it can and says what it cannot', async () => {
  const { get, run } = await openOrders();
  const { code, stdout } = await run('erase', '--customer', '418', '--yes');
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('Not sent: 1 announcement') });
  expect((await get('/announcements')).body.items).toMatchObject([{ subject: 'order:9104:32' }]);
  expect((await run('erase', '--customer', '418', '--yes', '--unsent')).code).toBe(0);
  expect((await get('/announcements')).body.items).toEqual([]);
});

it('dockline admin erase needs to know whom', async () => {
  const { run } = await openOrders();
  expect(await run('erase', '--yes')).toMatchObject({ code: 2 });
});
