import { expect, it } from 'vitest';
import { openAdmin } from '../admin/open-admin.ts';
import { openWatch, webhookTo } from '../alerts/open-watch.ts';
import { openReceiver } from '../alerts/receiver.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { configure } from '../store/configured.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { runAdmin } from './running-command.ts';

const token = 'a-token-of-this-very-test';

async function openAlerts() {
  const clock = { now: Date.UTC(2026, 1, 11, 12) };
  const store = await openTemporaryStore({ now: () => clock.now });
  const { url: channel } = await openReceiver();
  const file = writeTemporary(`alerts:\n  channels:\n${webhookTo('ops', channel)}\n`);
  const { url } = await openAdmin({ store, token, env: { CONFIG_FILE: file } });
  const run = (...args: readonly string[]) => runAdmin(args, { ADMIN_URL: url, ADMIN_TOKEN: token });
  return { store, clock, run, ...openWatch(store, [webhookTo('ops', channel)]) };
}

it('dockline admin alerts lists what is wrong, and who was notified of what', async () => {
  const { store, clock, round, run } = await openAlerts();
  expect((await run('alerts')).stdout).toBe('Nothing.\n');
  await configure(store, { hub: {} });
  await store.destinations.pause({ tenant: '9104', id: 'hub' }, 'it answered 410', 'dockline');
  await round();
  clock.now += 60_000;
  await round();
  const { stdout, code } = await run('alerts');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^condition +destination-stopped\n(?:.*\n)*because +it answered 410\n(?:.*\n)*notified +channel: ops, as: open, /m,
  );
  expect(stdout).toMatch(/^Messages\n.*\nchannel +ops\ntitle +Dockline has stopped sending /m);
});
