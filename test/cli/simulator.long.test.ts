import { expect, it } from 'vitest';
import { run } from './running-command.ts';

it('dockline simulator prints the settings that lead to it, and sends every event to the address that is given', async () => {
  const env = { SIMULATOR_PORT: '0' };
  const { written, child, ended } = run('simulator', ['--webhook', 'http://127.0.0.1:1/in'], env);
  await expect.poll(() => written.stdout).toContain('WAREHOUSE_TENANT=9104');
  expect(written.stdout).toContain('Every event goes to http://127.0.0.1:1/in.');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

it.each(['ftp://host/in', 'http://example.com/in', 'nowhere'])(
  'dockline simulator refuses the address %s',
  async (url) => {
    const { written, ended } = run('simulator', ['--webhook', url]);
    expect(await ended).not.toBe(0);
    expect(written.stderr).toContain('--webhook must be an address with https, or with http on this machine');
  },
);
