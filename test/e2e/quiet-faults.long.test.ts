import { expect, it } from 'vitest';
import { lies, tokenLies } from '../../sandbox/simulator/api/lies.ts';
import { start } from '../cli/running-command.ts';

it('a warehouse and a receiver that lie in every way they know: nothing is missing, doubled, out of order or false', async () => {
  const { ended, written } = await start(['--scenario', 'quiet-faults', '--until-done', '--json']);
  expect(await ended, written.stderr).toBe(0);
  const { announcements, webhooks, falsehoods, lies: told } = JSON.parse(written.stdout);
  expect(falsehoods).toEqual([]);
  expect(announcements).toMatchObject({ duplicates: 0, missing: 0, outOfOrder: 0, false: 0 });
  expect(announcements.received).toBe(announcements.expected);
  expect(webhooks.quarantined).toBe(0);
  expect(Object.keys(told)).toEqual(expect.arrayContaining([...lies, ...tokenLies]));
  expect(written.stderr).toContain('Nothing missing, nothing duplicated, nothing out of order, nothing false.');
});
