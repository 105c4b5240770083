import type { SubjectKind } from '../../src/domain/catalogue/subject.ts';
import { configure } from '../store/configured.ts';
import { openIn, type TestDatabase } from '../store/databases.ts';
import { observe, recordAs } from '../store/recordings.ts';
import {
  announcementOf,
  deadlineAt,
  entryOf,
  lifecycleAt,
  orderOf,
  quarantinedEntry,
  reached,
  toDefault,
  unleased,
} from '../support/make.ts';
import { openAdmin } from './open-admin.ts';

export const HOUR = 3_600_000;

const failure = { operation: 'getOrder', error: 'GET answered 503', nextTryAt: 1 };

/**
 * Serves the API over a store with a few subjects, webhooks, announcements, destinations and bulk actions. One subject after the other was created, an hour apart and the first ten
 * hours ago, and is in its stage since then; but 3 is in it as long as 5.
 */
export async function openListed(database: TestDatabase) {
  const now = Date.now();
  const clock = { now: now - 10 * HOUR };
  const store = await openIn(database, { now: () => clock.now });
  await createSubjects();
  await createWebhooks();
  clock.now = now;
  const admin = await openAdmin({ store });
  await configure(store, { default: {}, erp: {} });
  for (const name of ['alder', 'birch', 'elm'])
    await admin.post(`/destinations/9104/${name}/add`, { url: 'https://alder.test/in', customers: ['418'] });
  await admin.post('/destinations/9104/birch/pause');
  for (const code of ['unknownName', 'noName']) await admin.post('/bulk', { action: 'reprocess', filter: { code } });
  return { store, clock, ...admin };

  async function createSubjects(): Promise<void> {
    const record = async (
      id: string,
      decision: Parameters<typeof recordAs>[2],
      destinations?: readonly string[],
      { tenant = '9104', kind = 'order' as SubjectKind } = {},
    ) => {
      const subject = { tenant, kind, id };
      const announcement = { ...announcementOf(1, subject), destinations: destinations ?? [] };
      const announcements = destinations ? [announcement] : [];
      await recordAs(store, subject, { stageSince: clock.now, ...decision, announcements });
      clock.now += HOUR;
      return announcement.id;
    };
    const at = (facilityId: string, stalled: readonly 'stalled'[] = []) =>
      lifecycleAt(1, { registers: reached('picked', ...stalled), snapshot: { status: 'open', facilityId } });
    const confirmed = { lifecycle: lifecycleAt(1, { registers: reached('confirmed') }) };
    const due = (hours: number) => deadlineAt(now + hours * HOUR);

    const sent = await record('1', { customerId: '418', facts: { carrier: 'FedEx' } }, ['default', 'erp']);
    for (const destination of ['default', 'erp'])
      await store.outbox.sent({ id: sent, destination }, { status: 204, ms: 1 });
    const dead = await record('2', {}, ['default'], { kind: 'receipt' });
    const tried = await record(
      '3',
      { lifecycle: at('12', ['stalled']), customerId: '419', facts: { carrier: 'UPS' }, stageSince: now - 6 * HOUR },
      ['default'],
    );
    await record('4', confirmed, [], { tenant: '7001' });
    await record('5', {
      lifecycle: lifecycleAt(1, { registers: reached('stalled') }),
      refused: [{ operation: 'getOrder', message: 'GET answered 404', since: 1 }],
      deadline: due(-1),
      deadlineRules: 'any',
    });
    await store.taking.take(orderOf('5'), 'ana');
    await record('6', { lifecycle: at('13'), deadline: due(1), deadlineRules: 'any' });
    await store.activityFailures.note(orderOf('6'), 'retrieving', failure);
    await record('7', { deadline: due(9), deadlineRules: 'any' });
    await store.activityFailures.note(orderOf('7'), 'announcing', failure);
    await record('12.7001.', {}, undefined, { kind: 'stock' });
    await record('8', confirmed, undefined, { tenant: '7001' });
    await store.outbox.deadLetter(toDefault(dead), 'answered 503');
    await store.outbox.failed(unleased(tried), { outcome: 'failed', status: 503, ms: 1, error: 'POST answered 503' });
  }

  async function createWebhooks(): Promise<void> {
    const received = (hours: number) => ({ receivedAt: now - hours * HOUR });
    await store.inbox.add([{ ...entryOf('1', 1, 'OrderCreate'), ...received(9) }]);
    await observe(store, '1');
    await store.inbox.add([{ ...entryOf('3', 2, 'OrderPackComplete'), ...received(5) }]);
    await store.inbox.add([{ ...quarantinedEntry('x'), ...received(3) }]);
    await store.inbox.add([{ ...quarantinedEntry('y', 'Y'), tenant: '7001', ...received(1) }]);
  }
}
