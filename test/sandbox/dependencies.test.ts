import { expect, it, onTestFinished } from 'vitest';
import { openDependencies } from '../../sandbox/dependencies.ts';
import { loadConfig } from '../../src/config/config.ts';
import { webhookTo } from '../alerts/open-watch.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { unreachable } from '../support/warehouse-variables.ts';

const withAlerts = () => ({
  CONFIG_FILE: writeTemporary(`alerts:\n  channels:\n${webhookTo('ops', 'https://ops.test/')}\n`),
});

it.each([
  ['a simulated warehouse', () => ({}), ['mailbox'], true],
  ['a simulated warehouse with alerts', withAlerts, ['ops'], false],
  ['a real warehouse', () => unreachable, undefined, false],
  ['a real warehouse with alerts', () => ({ ...unreachable, ...withAlerts() }), ['ops'], false],
])('the alerts of %s go where they are wanted', async (_, env, channels, hasMailbox) => {
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const ports = { TEMPORAL_ADDRESS: '127.0.0.1:1', WAREHOUSE_PORT: '0', ANNOUNCE_PORT: '0', MAILBOX_PORT: '0' };
  const { alerts, mailbox } = await openDependencies(loadConfig({ ...ports, ...env() }), () => undefined, opened);
  expect(alerts?.channels.map(({ name }) => name)).toEqual(channels);
  expect(mailbox !== undefined).toBe(hasMailbox);
});
