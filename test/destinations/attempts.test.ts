import { expect, it } from 'vitest';
import type { Exchange } from '../../src/domain/outgoing.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';
import { toDefault, unleased } from '../support/make.ts';
import { record } from './record.ts';

const QUARTER = 900_000;

const exchange: Exchange = {
  requestHeaders: { 'webhook-id': 'order:9104:31/1/created', 'webhook-signature': '***' },
  status: 503,
  answer: Buffer.from('<script>Jane\0</script> is busy'),
};

const busy = { outcome: 'failed', status: 503, ms: 1_040, error: 'POST answered 503', exchange } as const;

/** Bytes that are no UTF-8. */
const binary = { ...exchange, status: 422, answer: Uint8Array.of(0xff, 0x00, 0x41) };

async function open(database: TestDatabase) {
  const clock = { now: Math.floor(Date.now() / QUARTER) * QUARTER - 2 * QUARTER };
  const store = await openIn(database, { now: () => clock.now });
  const [first = '', second = ''] = await record(store, 'order:9104:31', { milestones: ['created', 'packed'] });
  await store.outbox.failed(unleased(first), busy);
  clock.now += QUARTER;
  await store.outbox.failed(unleased(second), { ...busy, outcome: 'refused', status: 422, exchange: binary });
  const answer = null;
  await store.outbox.sent(toDefault(first), { status: 204, ms: 12, exchange: { ...exchange, status: 204, answer } });
  return { store, first, second };
}

const token = 'lead-token-of-32-characters-000000';
const reader = 'read-token-of-32-characters-000000';

const tokens = [
  { name: 'lead', token, roles: ['read', 'act', 'bodies', 'manage'] },
  { name: 'reader', token: reader, roles: ['read'] },
] as const;

const as = (token: string) => ({ authorization: `Bearer ${token}` });

describeOnEither('attempts to send an announcement', (database) => {
  it('are shown with it, each with the headers that were sent and the answer', async () => {
    const { store, first } = await open(database);
    const { get } = await openAdmin({ store });
    const { body } = await get(`/announcements/${first}`);
    expect(body).toMatchObject({ attempts: 2, lastStatus: 204 });
    const answer = Buffer.from(exchange.answer ?? []).toString();
    expect(body.lastAttempts).toMatchObject([
      { destination: 'default', number: 2, outcome: 'delivered', status: 204, ms: 12, error: null, answer: null },
      { number: 1, outcome: 'failed', status: 503, error: 'POST answered 503', answer, encoding: 'utf-8' },
    ]);
    expect(body.lastAttempts[1].requestHeaders).toEqual(exchange.requestHeaders);
  });

  it('are shown with their destination: the newest, and the last failure', async () => {
    const { store, first, second } = await open(database);
    const { get } = await openAdmin({ store });
    const { body } = await get('/destinations/9104/default');
    expect(body).toMatchObject({ unsent: 1, oldestUnsentAt: expect.any(String), successRate: 1 / 3 });
    expect(body.lastAttempts.map((it: { announcement: string }) => it.announcement).toSorted()).toEqual(
      [first, first, second].toSorted(),
    );
    expect(body.lastFailure).toMatchObject({
      announcement: second,
      outcome: 'refused',
      answer: '/wBB',
      encoding: 'base64',
    });
  });

  it('show what was answered only to those who may read bodies', async () => {
    const { store } = await open(database);
    const { get } = await openAdmin({ store, tokens });
    const path = '/destinations/9104/default';
    const answers = async (token: string) =>
      (await get(path, as(token))).body.lastAttempts.map(({ answer }: { answer: string | null }) => answer !== null);
    expect((await answers(token)).toSorted()).toEqual([false, true, true]);
    expect(await answers(reader)).toEqual([false, false, false]);
    expect((await get(path, as(reader))).body.lastFailure).toMatchObject({ status: 422, answer: null });
  });

  it('are on the pages of the board, where an answer is text and no markup', async () => {
    const { store, first } = await open(database);
    const { url } = await openAdmin({ store });
    const page = async (path: string) => await (await fetch(`${url}/board${path}`)).text();
    const announcement = await page(`/announcements/${first}`);
    expect(announcement).toContain('&lt;script&gt;Jane\uFFFD&lt;/script&gt; is busy');
    expect(announcement).toContain('webhook-signature: ***');
    const destination = await page('/destinations/9104/default');
    expect(destination).toContain(`<a href="/board/announcements/order%3A9104%3A31/1/created">`);
    expect(destination).toContain('\uFFFD\uFFFDA');
    for (const text of [announcement, destination]) expect(text).not.toMatch(/<script>Jane| style=|\0/);
  });
});

describeOnEither('a destination that was never tried', (database) => {
  it('has no attempts', async () => {
    const { get, url } = await openAdmin({ store: await openIn(database) });
    const { body } = await get('/destinations/9104/default');
    expect(body).toMatchObject({ lastFailure: null, lastAttempts: [] });
    expect(await (await fetch(`${url}/board/destinations/9104/default`)).text()).toContain('No attempts kept.');
  });
});
