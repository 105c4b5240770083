import { describe, expect, it } from 'vitest';
import { openExamined } from '../app/doctor/examining.ts';
import { temporaryFile } from '../store/temporary-store.ts';
import { ownNamespace } from '../support/namespace.ts';
import { run } from './running-command.ts';

const ports = { WEBHOOK_PORT: '0', ADMIN_PORT: '0' };

async function doctor(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { ended, written } = run('doctor', args, env);
  return { code: await ended, ...written };
}

describe('dockline doctor', () => {
  it('exits with 0 where nothing failed and leaves no mark, also while Dockline runs on the same data', async () => {
    const { right, receiver } = await openExamined();
    const env = { ...right, ...ports, ...(await ownNamespace()), RECONCILE_EVERY_MS: '0' };
    const { code, stdout, stderr } = await doctor(['--json'], env);
    expect(code, stderr).toBe(0);
    const { ok, checks } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(checks).toContainEqual(
      expect.objectContaining({
        area: 'temporal',
        verdict: 'ok',
        found: expect.stringMatching(/^answered, version 1\.\d+/),
      }),
    );
    expect(receiver.tests()).toBe(1);

    const dockline = run('start', [], env);
    await expect.poll(() => dockline.written.stdout).toContain('Dockline is running');
    const beside = await doctor(['--no-destination'], env);
    expect(beside.code, beside.stdout).toBe(0);
    expect(beside.stdout).toContain('another process has it open, such as a running Dockline');
    expect(receiver.tests()).toBe(1);
    dockline.child.kill('SIGTERM');
    expect(await dockline.ended).toBe(0);
  });

  it('exits with 1 where something failed, and says what to do', async () => {
    const { right } = await openExamined();
    const { code, stdout } = await doctor([], {
      ...right,
      ...ports,
      WAREHOUSE_CLIENT_SECRET: 'another',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^warehouse 9104\n {2}failed {3}token of .+ the client secret is wrong/m);
    expect(stdout).toMatch(/^temporal\n {2}failed {3}namespace default at 127.0.0.1:1: .+ECONNREFUSED/m);
    expect(stdout).toMatch(/^\d+ ok, 0 warnings, 2 failed, \d+ skipped$/m);
  });

  it('names a configuration that does not parse, and checks nothing', async () => {
    const { code, stdout, stderr } = await doctor([], { WEBHOOK_PORT: 'http' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('WEBHOOK_PORT');
  });

  it('warns of settings that have no effect', async () => {
    const env = { ...ports, TEMPORAL_PORT: '1', DATA_FOLDER: temporaryFile(), WAREHOUSE_TENANT: '9104' };
    const { code, stdout } = await doctor([], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^settings\n {2}warning {2}notice: WAREHOUSE_TENANT has no effect/m);
  });
});
