import { expect, it } from 'vitest';
import { stages } from '../../src/domain/lifecycle/stage.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

it('a request that cannot be read is told in words what is wrong with it', async () => {
  const { get, post } = await openAdmin({ store: await openTemporaryStore() });
  for (const [path, detail] of [
    ['/subjects?stage=bogus', `stage must be one of ${stages.join(', ')}`],
    ['/subjects?kind=parcel', expect.stringMatching(/^kind must be one of order, receipt, /)],
    ['/subjects?attention=needed', expect.stringMatching(/^attention /)],
    ['/subjects?limit=0', 'limit must be a whole number from 1 to 500'],
    ['/subjects?limit=501', expect.stringMatching(/^limit /)],
    ['/subjects?limit=1.5', 'limit must be a whole number from 1 to 500'],
    ['/subjects?limit=many&page=2', 'limit must be a whole number from 1 to 500; page is not known'],
    ['/subjects?after=somewhere', 'after must be the "next" of an earlier page'],
    [
      `/subjects?attention=any&after=${encodeURIComponent('["1","order","2"]')}`,
      'after must be the "next" of an earlier page',
    ],
    ['/subjects?costumer=418', 'costumer is not known'],
    ['/subjects/9104/parcel/31', expect.stringMatching(/^kind /)],
    ['/subjects/%/order/31', expect.stringMatching(/address/)],
    ['/search?q=', 'q must not be empty'],
    ['/search', 'q must be a text'],
    [`/search?q=${'a'.repeat(301)}`, 'q must have at most 300 characters'],
    ['/bulk?after=x', 'after must be the "next" of an earlier page'],
    ['/announcements?state=lost', expect.stringMatching(/^state /)],
    ['/announcements?since=today', 'since must be a time like 2026-02-11T10:00:00Z or an age like 90m, 2h or 3d'],
    ['/destinations?after=elm', 'after must be the "next" of an earlier page'],
    ['/announcements?after=somewhere', 'after must be the "next" of an earlier page'],
    ['/announcements?subject=order', 'subject is not known'],
  ] as const) {
    expect(await get(path), path).toMatchObject({ status: 400, type: 'application/problem+json', body: { detail } });
  }
  for (const [body, detail] of [
    [undefined, 'action must be one of refresh, resend, replay, reprocess'],
    [{ action: 'dance' }, 'action must be one of refresh, resend, replay, reprocess'],
    [{ action: 'refresh', filter: { colour: 'red' } }, 'filter.colour is not known'],
  ] as const) {
    expect(await post('/bulk', body)).toMatchObject({ status: 400, body: { detail } });
  }
});

it.each([
  [415, 'text/plain', '{}'],
  [413, 'application/json', JSON.stringify({ reason: 'x'.repeat(2 ** 20) })],
])('a body that is no JSON or too long is answered %i', async (status, type, body) => {
  const { call } = await openAdmin({ store: await openTemporaryStore() });
  const init = { method: 'POST', headers: { 'content-type': type }, body };
  expect(await call('/bulk', init)).toMatchObject({ status });
});

const invalid = [
  ...['AAAA', '%00', '-1', '[-1]', '[1e300]', '[9007199254740993]', 'order:9104', '[1.5]', '{}', '[]', '[null]'],
  ...['["\\u0000","order","1"]', '[1,2,3,4,5]', `["${'x'.repeat(10_000)}"]`].map(encodeURIComponent),
];

describeOnEither('a place in a list that is none', (database) => {
  it.each([
    '/subjects?',
    '/subjects?attention=refused&',
    '/announcements?',
    '/announcements?state=dead-lettered&',
    '/quarantine?',
    '/audit?',
    '/bulk?',
  ])('is a mistake of the request: GET %s', async (path) => {
    const { get } = await openAdmin({ store: await openIn(database) });
    for (const after of invalid) {
      const { status, body } = await get(`${path}after=${after}`);
      expect([after.slice(0, 20), status], JSON.stringify(body)).toEqual([after.slice(0, 20), 400]);
      expect(body.detail).toMatch(/after/);
    }
  });
});
