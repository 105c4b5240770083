import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { createCommand, UsageError } from '../../src/cli/command.ts';
import type { Output } from '../../src/cli/output.ts';
import { kindOption, sweep } from '../../src/cli/sweep.ts';
import { loadConfig } from '../../src/config/config.ts';
import { type SystemTenant, startSystem } from '../support/system.ts';
import { openFolder } from '../support/temporal-server.ts';

/** Keeps what a command prints and says. */
function openSilent() {
  const printed: string[] = [];
  const said: string[] = [];
  const output: Output = {
    print: (text) => void printed.push(text),
    say: (text) => void said.push(text),
    columns: 80,
    paint: (_: unknown, text: string) => text,
    progress: { show: () => undefined, end: () => undefined, clear: () => undefined },
  };
  return { output, printed, said };
}

it('all tenants are swept, although one warehouse forbids its listing', async () => {
  const { tenants, service } = await startSystem({
    tenants: [{ apart: true }, {}],
    simulator: { utcOffsetMinutes: -720 },
  });
  await service().worker.started;
  const [failing, sound] = tenants as [SystemTenant, SystemTenant];
  failing.simulator.setFaults({ forbidden: ['getOrders'] });
  const folder = await openFolder();
  const file = join(folder, 'warehouses.yaml');
  await writeFile(file, JSON.stringify({ warehouses: tenants.map(warehouseOf) }));

  const { output, printed, said } = openSilent();
  const sweeping = sweep({
    config: loadConfig({
      CONFIG_FILE: file,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
    }),
    options: { since: Date.now() - 60_000, json: true },
    stop: new AbortController().signal,
    output,
    taskQueue: `test-${failing.tenant}`,
  });
  const reason = 'order: GET /orders answered 403.*';
  await expect(sweeping).rejects.toThrow(new RegExp(`^warehouse ${failing.tenant}: ${reason}$`));
  expect(JSON.parse(printed.join())).toMatchObject({
    sweeps: [
      { tenant: failing.tenant, error: expect.stringMatching(new RegExp(`^${reason}$`)) },
      { tenant: sound.tenant, tallies: { order: { rows: 0 }, receipt: { rows: 0 } } },
    ],
  });
  expect(said.join()).toContain(`Warehouse ${sound.tenant}, changes since`);
  expect(said.join()).toContain('Nothing had to be ingested.');
});

it('a tenant that is not configured is named, with those that are', async () => {
  const { output } = openSilent();
  const stop = new AbortController().signal;
  const sweeping = sweep({ config: loadConfig({}), options: { tenant: '7' }, stop, output, taskQueue: 'of-nobody' });
  await expect(sweeping).rejects.toThrow(UsageError);
  await expect(sweeping).rejects.toThrow(/^--tenant 7 is not configured; configured tenants: 9104$/);
});

it.each(['item', 'stock'])('--kind rejects "%s"', (text) => {
  const parsing = () =>
    createCommand('a sweep', '').addOption(kindOption('kinds')).parse(['--kind', 'order', text], { from: 'user' });
  expect(parsing).toThrow('Allowed choices are order, receipt, adjustment, assembly.');
});

function warehouseOf({ tenant, simulator, simulated }: SystemTenant) {
  const { clientId, clientSecret, userLogin } = simulated.credentials;
  const { baseUrl, authUrl } = simulator;
  return { tenant, baseUrl, authUrl, clientId, clientSecret, userLogin };
}
