import { expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';
import { noteRoutes } from './routes.ts';

it('every address answers HEAD, a stream as well', async () => {
  const routes = noteRoutes();
  const { url } = await openAdmin({ store: await openTemporaryStore() });
  const paths = routes.filter(({ method }) => method === 'GET').map((route) => route.url.replaceAll(/:\w+/g, '1'));
  expect(paths).toContain('/board/changes');
  const answers = paths.map(async (path) => {
    const { status, headers } = await fetch(url + path, { method: 'HEAD', redirect: 'manual' });
    return { path, isAnswered: status < 500, isStream: headers.get('content-type') === 'text/event-stream' };
  });
  expect(await Promise.all(answers)).toEqual(
    paths.map((path) => ({ path, isAnswered: true, isStream: path === '/board/changes' })),
  );
});
