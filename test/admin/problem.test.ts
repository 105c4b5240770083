import { expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

it('a request that cannot be read is told in words what is wrong with it', async () => {
  const { get, post } = await openAdmin({ store: await openTemporaryStore() });
  const stages =
    'created, completed, fullyAllocated, picked, packing, packed, confirmed, canceled, deactivated, current, onHold, released, deleted';
  for (const [path, detail] of [
    ['/subjects?stage=bogus', `stage must be one of ${stages}`],
    ['/subjects?limit=0', 'limit must be a whole number from 1 to 500'],
    ['/subjects?limit=1.5', 'limit must be a whole number from 1 to 500'],
    ['/subjects?limit=many&page=2', 'limit must be a whole number from 1 to 500; page is not known'],
    ['/search?q=', 'q must not be empty'],
    ['/search', 'q must be a text'],
    [`/search?q=${'a'.repeat(301)}`, 'q must have at most 300 characters'],
    ['/bulk?after=x', 'after must be a whole number, 0 or greater'],
    ['/announcements?since=today', 'since must be a time like 2026-02-11T10:00:00Z'],
  ] as const) {
    expect(await get(path)).toMatchObject({ status: 400, body: { detail } });
  }
  for (const [body, detail] of [
    [undefined, 'the body must be an object'],
    [{ action: 'dance' }, 'action must be one of refresh, resend, replay'],
    [{ action: 'refresh', filter: { colour: 'red' } }, 'filter.colour is not known'],
  ] as const) {
    expect(await post('/bulk', body)).toMatchObject({ status: 400, body: { detail } });
  }
});
