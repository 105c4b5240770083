import { expect, it } from 'vitest';
import type { TenantSettings } from '../../src/config/tenants/tenant.ts';
import { withdrawUnwanted } from '../../src/destinations/destination-control.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { announcementOf, order } from '../support/make.ts';

const tenantWith = (customers: readonly string[]) =>
  [{ id: '9104', destinations: [{ name: 'default', customers }] }] as unknown as readonly TenantSettings[];

describeOnEither('what waits for a configured destination', (database) => {
  async function open() {
    const store = await openIn(database);
    await configure(store);
    await recordAs(store, order, {
      announcements: [announcementOf(1), announcementOf(2)].map((it) => ({ ...it, customerId: '77' })),
    });
    const unsent = async () => Object.values(await store.subjects.unsent(order)).flat().length;
    return { store, unsent };
  }

  it('is taken out at the start if it is no longer wanted, which the log says before and the audit log afterwards', async () => {
    const { store, unsent } = await open();
    const warnings: unknown[] = [];
    const logger = { warn: async (it: unknown) => void warnings.push([it, await unsent()]) };
    await withdrawUnwanted({ ...store, tenants: tenantWith(['77']), logger });
    expect([await unsent(), warnings]).toEqual([2, []]);
    await withdrawUnwanted({ ...store, tenants: tenantWith(['418']), logger });
    expect(await unsent()).toBe(0);
    expect(warnings).toEqual([[{ tenant: '9104', name: 'default', count: 2 }, expect.any(Number)]]);
    const audited = await store.db.selectFrom('audit').select(['action', 'token', 'detail', 'outcome']).execute();
    expect(audited).toMatchObject([
      { action: 'change', token: 'configuration', detail: expect.stringContaining('2 announcements'), outcome: 'done' },
    ]);
  });
});
