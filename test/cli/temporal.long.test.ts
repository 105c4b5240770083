import { expect, inject, it } from 'vitest';
import { run } from './running-command.ts';

it("dockline temporal runs Temporal's CLI on the server and in the namespace of the configuration", async () => {
  const env = { TEMPORAL_ADDRESS: inject('temporalAddress') };
  // A busy server may cancel a call.
  const list = async () => {
    const { ended, written } = run('temporal', ['workflow', 'list', '--limit', '1', '-o', 'json'], env);
    return { code: await ended, ...written };
  };
  await expect.poll(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(\[|$)/) });
  const elsewhere = run('temporal', ['workflow', 'list'], { ...env, TEMPORAL_NAMESPACE: 'no-such-namespace' });
  expect(await elsewhere.ended).toBe(1);
  expect(elsewhere.written.stderr).toContain('no-such-namespace');
});
