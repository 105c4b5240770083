import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { describeOnPostgres, openIn, waitingForLocks } from '../store/databases.ts';
import { openAdmin } from './open-admin.ts';

describeOnPostgres('the administration', (database) => {
  it('answers 503 while tables are locked, and leaves no session that waits for them', async () => {
    const store = await openIn(database, { location: await database.locate() });
    const { url } = await openAdmin({ store });
    const session = new pg.Client({ connectionString: database.direct });
    await session.connect();
    onTestFinished(() => session.end());
    await session.query('begin; lock table subjects, announcements, inbox, audit in access exclusive mode');
    const lists = ['/subjects', '/announcements', '/quarantine', '/audit', '/status', '/search?q=1'];
    const pages = ['/board', '/board/subjects', '/board/announcements', '/board/quarantine', '/board/audit'];
    const statuses = await Promise.all(
      [...lists, ...pages].map(async (path) => {
        const answer = await fetch(url + path);
        await answer.arrayBuffer();
        return [path, answer.status];
      }),
    );
    expect(statuses).toEqual([...lists, ...pages].map((path) => [path, 503]));
    await expect.poll(() => waitingForLocks(store.db)).toBe(0);

    await session.query('rollback');
    await expect.poll(async () => (await fetch(`${url}/subjects`)).status).toBe(200);
  });
});
