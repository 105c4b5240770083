import { expect, it } from 'vitest';
import { openAdmin } from '../../admin/open-admin.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, entryOf, lifecycleOf, orderOf } from '../../support/make.ts';

describeOnBoth('a webhook and an announcement', (database) => {
  it('are of a subject by its reference and its customer, as far as they are known', async () => {
    const store = await openIn(database);
    const lifecycle = lifecycleOf({
      revision: 1,
      lastEventTime: 1,
      snapshot: { status: 'open', referenceNumber: 'OR1X' },
    });
    const facts = { customerName: 'Alder Tea Company' };
    await recordAs(store, orderOf('1'), { lifecycle, facts, announcements: [announcementOf(1, orderOf('1'))] });
    await recordAs(store, orderOf('2'), { announcements: [announcementOf(1, orderOf('2'))] });
    await store.inbox.add([entryOf('1', 1), entryOf('3', 2)]);
    const { get, url } = await openAdmin({ store });
    const named = async (path: string) =>
      Object.fromEntries(
        (await get(path)).body.items.map((it: Readonly<Record<string, unknown>>) => [
          it.subject,
          [it.referenceNumber, it.customerName],
        ]),
      );
    const known = { 'order:9104:1': ['OR1X', 'Alder Tea Company'] };
    expect(await named('/announcements')).toEqual({ ...known, 'order:9104:2': [null, null] });
    expect(await named('/webhooks')).toEqual({ ...known, 'order:9104:3': [null, null] });
    for (const page of ['webhooks', 'announcements/all']) {
      const text = (await (await fetch(`${url}/board/${page}`)).text()).replaceAll(/<[^>]*>/g, '');
      expect(text).toMatch(/OR1X Alder Tea Company/);
      expect(text).toMatch(/Order [23]/);
    }
  });
});
