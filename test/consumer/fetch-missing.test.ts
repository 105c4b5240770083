import { describe, expect, it } from 'vitest';
import { fetchMissing } from '../../consumer/src/fetch-missing.ts';
import { type Reply, startRecordingServer } from '../warehouse/recording-server.ts';

const recordsAt = { order: '/records/order:9104:31/1/created/order', user: '/records/order:9104:31/1/created/user' };

async function open(answer: () => Reply) {
  const { url, requests } = await startRecordingServer(answer);
  return {
    requests,
    fetchAll: (places: object, baseUrl = url) => fetchMissing({ recordsAt: places }, { baseUrl, token: 'mine' }),
  };
}

describe('the records that an announcement lacks', () => {
  it('are fetched with the token, each at its path', async () => {
    const { fetchAll, requests } = await open(() => ({ status: 200, body: '{"id":1}' }));
    expect(await fetchAll(recordsAt)).toEqual({ order: { id: 1 }, user: { id: 1 } });
    expect(requests.map(({ target }) => target).toSorted()).toEqual(Object.values(recordsAt));
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer mine', 'Bearer mine']);
  });

  it('are none where nothing was left out', async () => {
    expect(await fetchMissing({}, { baseUrl: 'http://127.0.0.1:1', token: 'mine' })).toEqual({});
  });

  it.each([401, 404, 410, 503])('are refused with the status %i', async (status) => {
    const { fetchAll } = await open(() => ({ status }));
    await expect(fetchAll(recordsAt)).rejects.toMatchObject({ code: 'ERR_RECORD', status });
  });

  it('are asked for nowhere else', async () => {
    const { fetchAll, requests } = await open(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }));
    for (const path of ['//evil.example/records/', '.evil.example/records/', '@evil.example/'])
      await expect(fetchAll({ order: path })).rejects.toMatchObject({ code: 'ERR_RECORD', status: undefined });
    expect(requests).toEqual([]);
    await expect(fetchAll(recordsAt)).rejects.toMatchObject({ code: 'ERR_RECORD' });
    await expect(fetchAll(recordsAt, 'http://127.0.0.1:1')).rejects.toMatchObject({ code: 'ERR_RECORD' });
  });
});
