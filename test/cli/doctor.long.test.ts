import { describe, expect, it } from 'vitest';
import { checkConfiguration } from '../../src/app/doctor/configuration.ts';
import { areas } from '../../src/app/doctor/run-checks.ts';
import { describeChecks } from '../../src/cli/doctor.ts';
import { examine, openExamined } from '../app/doctor/examining.ts';
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
    expect(checks[0]).toMatchObject({ area: 'configuration', tenant: null, name: 'settings', verdict: 'ok' });
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'namespace',
        verdict: 'ok',
        found: expect.stringMatching(/^answered, version 1\.\d+/),
      }),
    );
    expect(checks).toContainEqual(expect.objectContaining({ name: 'search attributes', verdict: 'skipped' }));
    expect(receiver.tests()).toBe(1);

    const dockline = run('start', [], env);
    await expect.poll(() => dockline.written.stdout).toContain('Dockline is running');
    const beside = await doctor(['--no-destination', '--tenant', '9104'], env);
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
    expect(stdout).toMatch(
      /^warehouse of 9104\n {2}failed {3}token: .+ the client secret is wrong .+ ms\n +→ Compare/m,
    );
    expect(stdout).toMatch(/^temporal\n {2}failed {3}namespace: .+ECONNREFUSED.* · default at 127.0.0.1:1/m);
    expect(stdout).toMatch(/^\d+ ok, 0 warnings, 2 failed, \d+ skipped in [\d.]+ s$/m);
  });

  it('names a configuration that does not parse, and checks no further', async () => {
    const { code, stdout } = await doctor(['--json'], { WEBHOOK_PORT: 'http' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).checks).toMatchObject([
      {
        verdict: 'failed',
        tried: 'the environment, without a file .env',
        found: expect.stringContaining('WEBHOOK_PORT'),
      },
    ]);
  });

  it('says in a demonstration what is simulated, and what it skips', async () => {
    const env = { ...ports, TEMPORAL_PORT: '1', DATA_FOLDER: temporaryFile() };
    const settings = await checkConfiguration({ env, source: 'the environment' }, new AbortController().signal);
    const checks = settings.config ? await examine(settings.config, areas) : [];
    const text = describeChecks([...settings.results, ...checks], 0, {
      paint: (_, text) => text,
      columns: Number.POSITIVE_INFINITY,
    });
    expect(text).toContain('settings: are valid; the warehouse is simulated: WAREHOUSE_BASE_URL is not set');
    for (const area of ['warehouse', 'webhook', 'destination'])
      expect(text).toMatch(new RegExp(`^${area}\\n {2}skipped {2}.+: simulated; set WAREHOUSE_BASE_URL.* · `, 'm'));
  });

  it('explains what is wrong with a tenant', async () => {
    const { code, stderr } = await doctor(['--tenant', '7'], {});
    expect(code).toBe(2);
    expect(stderr).toContain('--tenant 7 is not configured; configured tenants: none');
  });
});
