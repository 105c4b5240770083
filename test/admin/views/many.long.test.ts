import { expect, it } from 'vitest';
import type { AccessToken } from '../../../src/admin/access.ts';
import { createSessions } from '../../../src/admin/board/session.ts';
import type { Identity } from '../../../src/domain/routing.ts';
import { describeOnSqlite, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, quarantinedEntry } from '../../support/make.ts';
import { openAdmin } from '../open-admin.ts';
import { noteRoutes } from '../routes.ts';

const RECEIVERS = 200;
const ACCOUNTS = 70;
const CUSTOMERS = 500;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const tenantOf = (index: number) => String(9104 + (index % ACCOUNTS));
const customers = numbers(CUSTOMERS).map((index) => ({ tenant: tenantOf(index), customer: String(1000 + index) }));

const tokens: readonly AccessToken[] = [
  { name: 'all', roles: ['read', 'act', 'bodies', 'manage'], token: 'the-token-of-all' },
  { name: 'some', roles: ['read', 'bodies'], token: 'the-token-of-some', limits: customers },
];

/** On SQLite, which of both engines allows a statement less: in depth of its conditions and in values. */
describeOnSqlite('an installation of 200 receivers, 70 accounts and 500 customers', (database) => {
  it('shows every page to everybody, also while everything fails', async () => {
    const store = await openIn(database);
    const now = store.now();
    await store.db
      .insertInto('destinations')
      .values(
        numbers(RECEIVERS).map((index) => ({
          tenant: tenantOf(index),
          id: `hub-${index}` as Identity,
          name: `hub-${index}`,
          settings: JSON.stringify({ address: 'https://hub.test/in', customers: [String(1000 + index)] }),
          sealed: Buffer.from(''),
          updated_at: now,
          failing_since: now - 120_000,
          last_error: '503',
        })),
      )
      .execute();
    const first = { tenant: tenantOf(0), customer: '1000', kind: 'order', id: '0' } as const;
    const announcement = { ...announcementOf(1, first), destinations: ['hub-0'] };
    await recordAs(store, first, { customerId: first.customer, announcements: [announcement] });
    const lease = { id: announcement.id, destination: 'hub-0', previous: null, isReplay: false, leasedUntil: null };
    await store.outbox.failed(lease, { outcome: 'failed', status: 503, ms: 1, error: '503' });
    await store.activityFailures.note(first, 'retrieving', { operation: 'getOrder', error: '503', nextTryAt: now });
    // The others are like it.
    const like = customers.slice(1).map(({ tenant, customer: customer_id }, index) => {
      const announcementId = announcement.id.replace(':0/', `:${index + 1}/`).replace(':9104:', `:${tenant}:`);
      return {
        tenant,
        customer_id,
        subject_id: String(index + 1),
        announcementId,
        destination: `hub-${(index + 1) % RECEIVERS}`,
      };
    });
    const [{ needs_attention: _, ...subject }, announced, outgoing, attempt] = await Promise.all([
      store.db.selectFrom('subjects').selectAll().executeTakeFirstOrThrow(),
      store.db.selectFrom('announcements').selectAll().executeTakeFirstOrThrow(),
      store.db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow(),
      store.db.selectFrom('attempts').selectAll().executeTakeFirstOrThrow(),
    ]);
    for (const { announcementId, destination, ...own } of like) {
      const { tenant, subject_id } = own;
      await store.db
        .insertInto('subjects')
        .values({ ...subject, ...own })
        .execute();
      await store.db
        .insertInto('announcements')
        .values({ ...announced, ...own, id: announcementId })
        .execute();
      await store.db
        .insertInto('outbox')
        .values({ ...outgoing, tenant, subject_id, announcement: announcementId, destination })
        .execute();
      await store.db
        .insertInto('attempts')
        .values({ ...attempt, tenant, announcement: announcementId, destination })
        .execute();
    }
    await store.inbox.add([quarantinedEntry('9104:1')]);
    const routes = noteRoutes();
    const { url } = await openAdmin({ store, tokens });
    const pages = routes.filter(({ method, url: path }) => method === 'GET' && !/assets|sign-/.test(path));
    const failed: string[] = [];
    for (const token of tokens)
      for (const { url: path } of pages) {
        // Calls have the statements of their pages, and 500 limits make each of them long.
        if (token.limits && !path.startsWith('/board')) continue;
        const of = { tenant: '9104', name: 'hub-0', id: path.includes('/subjects/') ? '0' : '1', kind: 'order' };
        const page = path.replaceAll(/:(\w+)/g, (_, name: keyof typeof of) => of[name] ?? '1');
        const headers = path.startsWith('/board')
          ? { cookie: `dockline-board=${createSessions([token]).open(token)}`, 'sec-fetch-site': 'same-origin' }
          : { authorization: `Bearer ${token.token}` };
        const { status } = await fetch(url + page, { headers, redirect: 'manual' });
        if (status >= 500) failed.push(`${token.name} ${page} ${status}`);
      }
    expect(failed).toEqual([]);
  });
});
