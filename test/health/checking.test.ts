import { expect, it } from 'vitest';
import { openAdmin } from '../admin/open-admin.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, openIn } from '../store/databases.ts';

describeOnEither('the first page', (database) => {
  it('says what is being checked from ten seconds on, and not once it is an incident', async () => {
    const clock = { now: Date.now() };
    const store = await openIn(database, { now: () => clock.now });
    const { url } = await openAdmin({ store });
    await configure(store, { hub: {} });
    await store.destinations.failed({ tenant: '9104', id: 'hub' }, 'answered 503');
    const page = async () => await (await fetch(`${url}/board`)).text();
    const checking = 'destination hub of warehouse 9104</a> has failed for';
    clock.now += 9000;
    await expect.poll(page).toContain('Nothing is wrong');
    clock.now += 2000;
    await expect.poll(page).toContain(checking);
    clock.now += 50_000;
    await expect.poll(page).toContain('to all announcements');
    expect(await page()).not.toContain(checking);
  });
});
