import { expect, it } from 'vitest';
import { openAdmin } from '../admin/open-admin.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { announcementOf, lifecycleAt, order } from '../support/make.ts';

const path = '/subjects/9104/order/1';
const user = { operation: 'getUser', message: 'GET answered 403', since: 1 } as const;

describeOnEither('the cleared marks of a subject', (database: TestDatabase) => {
  async function open(decision: Parameters<typeof recordAs>[2]) {
    const store = await openIn(database);
    await recordAs(store, order, decision);
    const { url, get } = await openAdmin({ store });
    const show = async () => {
      const { body } = await get(path);
      const page = await (await fetch(`${url}/board${path}`)).text();
      return { attention: body.attention, cleared: body.cleared, hasUndo: page.includes('Undo clearing</button>') };
    };
    return { store, show };
  }

  it('are named, and can be undone on its page', async () => {
    const attention = { milestone: 'stalled', time: 1, eventId: null, released: true } as const;
    const { show } = await open({
      lifecycle: lifecycleAt(1, { registers: { attention } }),
      cleared: { refused: [user], isUnannounced: true },
    });
    expect(await show()).toEqual({ attention: [], cleared: ['stalled', 'refused'], hasUndo: true });
  });

  it('are not those that it has again', async () => {
    const { show } = await open({ refused: [user], cleared: { refused: [user], isUnannounced: false } });
    expect(await show()).toEqual({ attention: ['refused'], cleared: [], hasUndo: false });
  });

  it('are those of dead letters while there are any', async () => {
    const { store, show } = await open({ announcements: [announcementOf(1)] });
    const { id } = announcementOf(1);
    await store.outbox.deadLetter({ id, destination: 'default' }, 'answered 410');
    await recordAs(store, order, { cleared: { refused: [], isUnannounced: true } });
    expect(await show()).toEqual({ attention: [], cleared: ['unannounced'], hasUndo: true });
    await store.outbox.sent({ id, destination: 'default' }, { status: 204, ms: 1 });
    expect(await show()).toEqual({ attention: [], cleared: [], hasUndo: false });
  });
});
