import { expect, it, onTestFinished } from 'vitest';
import { openSharedPaces } from '../../../src/app/doctor/configuration.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createPace } from '../../../src/warehouse/client/pace.ts';
import { describeOnPostgres, openIn } from '../../store/databases.ts';
import { unreachable } from '../../support/warehouse-variables.ts';
import { never } from '../../warehouse/open-warehouse.ts';

const asked = { signal: never, rank: () => 0, withinMs: 300 };

describeOnPostgres('the rate of a check', (database) => {
  it('is that of a running Dockline, whose turns are those of the check as well', async () => {
    const location = await database.locate();
    const store = await openIn(database, { location });
    const paces = openSharedPaces(database.url);
    onTestFinished(() => paces.close());
    const [tenant] = loadConfig({
      ...unreachable,
      WAREHOUSE_TENANT: '9104',
      WAREHOUSE_CALLS_PER_SECOND: '1',
      ANNOUNCE_URL: 'https://receiver.test',
      ANNOUNCE_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    }).tenants;
    if (!tenant) throw new Error('There is no tenant.');
    const running = createPace({ perSecond: 1, shared: store.rateSlotsOf?.('9104') });
    const turn = await running.next(asked);
    const pace = paces.paceOf(tenant);
    await expect(pace.next(asked)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_BUSY' });
    turn.end();
    const own = await pace.next({ ...asked, withinMs: 30_000 });
    await expect(running.next(asked)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_BUSY' });
    own.end();
    expect(paces.paceOf(tenant)).toBe(pace);
  });
});
