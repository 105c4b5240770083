import { expect, inject, it } from 'vitest';
import { run } from './running-command.ts';

it("dockline temporal runs Temporal's CLI on the server and in the namespace of the configuration", async () => {
  const env = { TEMPORAL_ADDRESS: inject('temporalAddress') };
  const list = run('temporal', ['workflow', 'list', '--limit', '1', '-o', 'json'], env);
  expect(await list.ended, list.written.stderr).toBe(0);
  expect(Array.isArray(JSON.parse(list.written.stdout || '[]'))).toBe(true);
  const elsewhere = run('temporal', ['workflow', 'list'], { ...env, TEMPORAL_NAMESPACE: 'no-such-namespace' });
  expect(await elsewhere.ended).toBe(1);
  expect(elsewhere.written.stderr).toContain('no-such-namespace');
});
