import { expect, it } from 'vitest';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';

const seen = (milestone: 'created' | 'picked' | 'packed' | 'confirmed', time: number) => ({
  milestone,
  time,
  eventId: '9104:1',
});

it('lead times have a call and a page, by customer with its name', async () => {
  const store = await openTemporaryStore();
  const now = Date.now();
  await record(store, 'order:9104:1', {
    registers: {
      existence: seen('created', now - 9_000_000),
      pick: seen('picked', now - 5_400_000),
      pack: seen('packed', now - 3_600_000),
      closing: seen('confirmed', now - 1_800_000),
    },
    snapshot: { customerId: '418', customerName: 'Alder & Sons' },
  });
  const { url, get } = await openAdmin({ store });
  const { body } = await get('/lead-times?by=customer');
  expect(body).toMatchObject({
    share: 1,
    items: [
      {
        group: '418',
        name: 'Alder & Sons',
        closed: 1,
        withDeadline: 0,
        steps: { packed: { count: 1, medianMs: 1_800_000 }, whole: { medianMs: 7_200_000, p90Ms: 7_200_000 } },
      },
    ],
  });
  expect((await get('/lead-times?kind=adjustment')).status).toBe(400);
  const read = async (path: string) => (await fetch(`${url}/board${path}`)).text();
  const page = await read('/lead-times');
  expect(page).toContain('1 order closed in the last 30 days');
  expect(page).toContain('Alder &amp; Sons');
});
