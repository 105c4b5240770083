import { expect, inject, it } from 'vitest';
import { sweep } from '../../src/cli/sweep.ts';
import { loadConfig } from '../../src/config/config.ts';
import { startSystem } from '../support/system.ts';

it('without WAREHOUSE_TENANT the first webhook names the tenant, which is reconciled from then on', async () => {
  const { simulator, announced, service } = await startSystem({ env: { RECONCILE_EVERY_MS: '2000' } });
  const taskQueue = `test-${simulator.tplId}`;
  const variables = {
    WAREHOUSE_BASE_URL: simulator.baseUrl,
    WAREHOUSE_AUTH_URL: simulator.authUrl,
    WAREHOUSE_USER_LOGIN: 'x',
    WAREHOUSE_CLIENT_ID: 'x',
    WAREHOUSE_CLIENT_SECRET: 'x',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
  };
  const output = {
    print: () => undefined,
    say: () => undefined,
    paint: (_: unknown, text: string) => text,
    progress: { show: () => undefined, end: () => undefined },
  };
  const command = (env: Readonly<Record<string, string>> = variables) => {
    const options = { since: 0, kind: ['order'] } as const;
    return sweep({ config: loadConfig(env), options, stop: new AbortController().signal, output, taskQueue });
  };
  await service().worker.started;
  await expect(command()).rejects.toThrow(
    'WAREHOUSE_TENANT or --tenant must be the tplId of the warehouse: no webhook has named it yet',
  );

  const reported = simulator.createOrder();
  const unreported = simulator.createOrder();
  await simulator.emit(reported, 'OrderCreate');
  await expect.poll(() => announced(unreported)).toEqual(['1/created inferred']);
  await expect(command()).resolves.toBeUndefined();
  await expect(command({ ...variables, WAREHOUSE_TENANT: '2' })).rejects.toThrow(
    `no running Dockline fetches from warehouse 2: nobody polls the task queue ${taskQueue}-warehouse-2; the one that runs sweeps ${simulator.tplId}`,
  );
});
