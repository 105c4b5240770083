import { expect, it } from 'vitest';
import { createRedelivery } from '../../../src/destinations/tables/redelivery.ts';
import { configure } from '../../store/configured.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, order } from '../../support/make.ts';

describeOnBoth('the wait of an announcement', (database) => {
  it('is ended for those who are to get it, but not for who was paused meanwhile', async () => {
    const store = await openIn(database);
    const destinations = ['default', 'erp', 'shop'];
    await configure(store, { default: {}, erp: {}, shop: {} });
    const { id, ...rest } = announcementOf(1);
    await recordAs(store, order, { announcements: [{ ...rest, id, destinations }] });
    await store.destinations.pause({ tenant: '9104', id: 'erp' }, 'a test');
    await store.outbox.sent({ id, destination: 'shop' }, { status: 204, ms: 1 });
    await createRedelivery(store).sendNow(id, destinations);
    const expedited = store.db.selectFrom('outbox').select('destination').where('expedited_at', 'is not', null);
    expect(await expedited.execute()).toEqual([{ destination: 'default' }]);
  });
});
