import { expect, it } from 'vitest';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, openIn } from '../store/databases.ts';

describeOnEither('the erasure of a subject', (database) => {
  it('is counted first, refused while an announcement is unsent, and shown once it is made', async () => {
    const store = await openIn(database);
    await record(store, 'order:9104:31');
    const { get, post } = await openAdmin({ store });
    const path = '/subjects/9104/order/31';
    await post(`${path}/notes`, { text: 'Jane Doe called' });
    const counts = { deliveries: 0, resources: 0, announcements: 1, notes: 1, waiting: 0, unsent: 1 };
    expect(await post(`${path}/erase`, { dryRun: true })).toMatchObject({
      status: 200,
      body: { isErased: false, ...counts },
    });
    expect(await post(`${path}/erase`)).toMatchObject({ status: 409 });
    expect(await post(`${path}/erase`, { unsent: true })).toMatchObject({
      status: 200,
      body: { isErased: true, ...counts },
    });
    expect((await get(path)).body.erasures).toMatchObject([
      { announcements: 1, notes: 1, by: 'an operator on this machine' },
    ]);
    expect((await get(path)).body.notes).toEqual([]);
    expect(await post('/subjects/9104/order/32/erase')).toMatchObject({ status: 404 });
    expect(await post(`${path}/erase`, { unsend: true })).toMatchObject({ status: 400 });
  });
});
