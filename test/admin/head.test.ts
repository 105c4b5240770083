import { expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';
import { noteRoutes } from './routes.ts';

it('every address answers HEAD', async () => {
  const routes = noteRoutes();
  const { url } = await openAdmin({ store: await openTemporaryStore() });
  const paths = routes.filter(({ method }) => method === 'GET').map((route) => route.url.replaceAll(/:\w+/g, '1'));
  const answers = paths.map(async (path) => {
    const { status } = await fetch(url + path, { method: 'HEAD', redirect: 'manual' });
    return { path, isAnswered: status < 500 };
  });
  expect(await Promise.all(answers)).toEqual(paths.map((path) => ({ path, isAnswered: true })));
});
