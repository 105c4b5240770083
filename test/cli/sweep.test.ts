import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { sweep } from '../../src/cli/sweep.ts';
import { loadConfig } from '../../src/config/config.ts';
import { type SystemTenant, startSystem } from '../support/system.ts';
import { createFolder } from '../support/temporal-server.ts';

it('all tenants are swept, although one warehouse does not apply its filter', async () => {
  const { tenants } = await startSystem({
    tenants: [{ apart: true }, {}],
    simulator: { utcOffsetMinutes: -720 },
  });
  const [failing, sound] = tenants as [SystemTenant, SystemTenant];
  failing.simulated.createOrder();
  failing.simulator.setFaults({ ignoreRql: true });
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'warehouses.yaml');
  await writeFile(file, JSON.stringify({ warehouses: tenants.map(warehouseOf) }));

  const printed: string[] = [];
  const said: string[] = [];
  const sweeping = sweep({
    config: loadConfig({
      ...{ WAREHOUSES_FILE: file, TEMPORAL_ADDRESS: inject('temporalAddress'), RECONCILE_OVERLAP_MS: '0' },
    }),
    options: { since: Date.now() - 60_000, json: true },
    stop: new AbortController().signal,
    output: {
      print: (text) => void printed.push(text),
      say: (text) => void said.push(text),
      progress: { show: () => undefined, end: () => undefined },
    },
    taskQueue: `test-${failing.tenant}`,
  });
  await expect(sweeping).rejects.toThrow(
    new RegExp(`^warehouse ${failing.tenant}: order: GET /orders answered .+ did not apply the filter$`),
  );
  expect(JSON.parse(printed.join())).toMatchObject({
    sweeps: [
      { tenant: failing.tenant, error: expect.stringContaining('did not apply the filter') },
      { tenant: sound.tenant, tallies: { order: { rows: 0 }, receipt: { rows: 0 } } },
    ],
  });
  expect(said.join()).toContain(`Warehouse ${sound.tenant}, changes since`);
  expect(said.join()).toContain('Nothing had to be ingested.');
});

function warehouseOf({ tenant, simulator, simulated }: SystemTenant) {
  const { clientId, clientSecret, userLogin } = simulated.credentials;
  const { baseUrl, authUrl } = simulator;
  return { ...{ tenant, credential: 'single-tenant-static', baseUrl, authUrl }, clientId, clientSecret, userLogin };
}
