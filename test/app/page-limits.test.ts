import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openTenantClients } from '../../src/app/tenant-clients.ts';
import { loadConfig } from '../../src/config/config.ts';
import { nameOf } from '../../src/domain/health/incident.ts';
import { secret } from '../destinations/announcements/announcements.ts';
import { openTestHealth } from '../health/sound-machine.ts';
import { openSimulator } from '../sandbox/simulator/open.ts';
import { openTemporaryStore, temporaryFile } from '../store/temporary-store.ts';
import { orderOf } from '../support/make.ts';
import { variablesOf } from '../support/warehouse-variables.ts';
import { never } from '../warehouse/open-warehouse.ts';

/** Nothing is known of the orders yet, so that a row of a listing counts. */
const known = async () => ({ stored: undefined, newest: [] });

it('a warehouse that does not list several records at once is an incident until it does', async () => {
  const simulator = await openSimulator({ faults: { ignoreRql: true } });
  const config = loadConfig({
    ...variablesOf(simulator),
    WAREHOUSE_CALLS_PER_SECOND: '5',
    RETRY_SLOW_MS: '1000',
    ANNOUNCE_URL: 'https://receiver.test',
    ANNOUNCE_SECRET: secret,
    DATA_FOLDER: temporaryFile(),
  });
  const store = await openTemporaryStore();
  const clients = openTenantClients(config.tenants, config, { store, logger: pino({ level: 'silent' }) });
  onTestFinished(() => clients.close());
  const load = async () => {
    const ids = Array.from({ length: 8 }, () => simulator.createOrder());
    const warehouse = clients.warehouseOf('9104', () => {});
    await Promise.all(ids.map((id) => warehouse.getSubject(orderOf(id), never, { known })));
  };
  const health = openTestHealth(store);
  const incidents = async () => (await health.whole.all()).map(nameOf);
  simulator.createOrder();
  await load();
  await expect.poll(incidents).toEqual(['listing-limited@9104/order']);
  simulator.setFaults({ ignoreRql: false });
  await expect
    .poll(
      async () => {
        await load();
        return await incidents();
      },
      { timeout: 20_000 },
    )
    .toEqual([]);
});
