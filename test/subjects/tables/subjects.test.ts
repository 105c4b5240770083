import { expect, it } from 'vitest';
import type { WaitingEvent } from '../../../src/domain/decision.ts';
import { findSubject } from '../../../src/subjects/views/subject/row.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { observe, recordAs, recordNext } from '../../store/recordings.ts';
import {
  announcementOf,
  decisionOf,
  entryOf,
  lifecycleAt,
  order,
  orderOf,
  quarantinedEntry,
  toDefault,
} from '../../support/make.ts';

const idsOf = (events: readonly WaitingEvent[]) => events.map(({ id }) => id);
const numbered = (numbers: readonly number[]) => numbers.map((n) => `9104:${n}`);

describeOnBoth('a subject', (database) => {
  it('is loaded as it was recorded', async () => {
    const store = await openIn(database);
    const { saved } = decisionOf({
      lifecycle: lifecycleAt(2, { inferred: ['picked'] }),
      stageSince: 77,
      isUnannounced: true,
      refused: [{ operation: 'getUser', id: '2108', message: 'GET answered 403', since: 1 }],
      lookAgainAt: 1_700_000_000_000,
      deadline: {
        dueAt: 1_800_000_000_000,
        atRiskAt: 1_790_000_000_000,
        ruleAt: 1_790_000_000_000,
        because: 'same day: created',
      },
      deadlineRules: 'a fingerprint',
    });
    await recordAs(store, order, saved);
    expect(await store.subjects.load(order, 10)).toEqual({ saved, events: [] });
    await recordAs(store, order, { lifecycle: lifecycleAt(3) });
    expect((await store.subjects.load(order, 10)).saved).toEqual(decisionOf({ lifecycle: lifecycleAt(3) }).saved);
  });

  it('keeps its latest thirty retrievals', async () => {
    const store = await openIn(database);
    const retrievals = Array.from({ length: 31 }, (_, at) => ({ at, gets: [] }));
    for (const retrieval of retrievals) await recordAs(store, order, { retrieval });
    await recordAs(store, order);
    expect((await findSubject(store, order))?.retrievals).toEqual(retrievals.slice(1));
  });

  it('is unknown if it was never recorded, even while events wait', async () => {
    const { subjects, inbox } = await openIn(database);
    await inbox.add([entryOf('1', 1)]);
    const { event, receivedAt } = entryOf('1', 1);
    const events = [{ id: '9104:1', json: JSON.stringify(event), receivedAt }];
    expect(await subjects.load(order, 10)).toEqual({ saved: undefined, events });
  });

  it('is loaded with its waiting events, oldest first, up to a limit', async () => {
    const store = await openIn(database);
    await store.inbox.add([30, 10, 20, 5, 4].map((n) => entryOf('1', n)));
    await store.inbox.add([entryOf('2', 60), quarantinedEntry('p')]);
    await store.inbox.quarantine(['9104:10'], { code: 'unrecordable', message: 'because' });
    await recordNext(store, order, ['9104:20']);
    expect(idsOf((await store.subjects.load(order, 10)).events)).toEqual(numbered([30, 5, 4]));
    expect(idsOf((await store.subjects.load(order, 2)).events)).toEqual(numbered([30, 5]));
    expect((await store.subjects.load(order, 0)).events).toEqual([]);
  });

  it('is separate from one with the same id of another tenant or kind', async () => {
    const store = await openIn(database);
    await recordNext(store, order, []);
    for (const other of [{ tenant: '9105' }, { kind: 'receipt' }, { id: '2' }] as const) {
      const elsewhere = { ...order, ...other };
      expect(await store.subjects.load(elsewhere, 10)).toMatchObject({ saved: undefined });
      expect(await store.subjects.unsent(elsewhere)).toEqual({});
      expect(await store.subjects.since(elsewhere, 0)).toEqual([]);
    }
  });

  it('can be searched by the fields of its snapshot', async () => {
    const store = await openIn(database, { now: () => 5000 });
    const snapshot = { referenceNumber: 'R-1', customerId: '7', facilityId: '3' };
    const attention = { milestone: 'stalled', time: 1, eventId: null } as const;
    const lifecycle = lifecycleAt(4, { snapshot, registers: { attention } });
    await recordAs(store, order, { lifecycle, stageSince: 900 });
    expect(await store.db.selectFrom('subjects').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      reference_number: 'R-1',
      customer_id: '7',
      facility_id: '3',
      revision: 4,
      stage: 'created',
      stage_since: 900,
      last_event_at: 4000,
      updated_at: 5000,
      stalled: 1,
      needs_attention: 1,
    });
  });
});

describeOnBoth('announcements of a subject', (database) => {
  it('yield its timeline after a revision: the newest sixty lines, oldest first', async () => {
    const store = await openIn(database);
    const announcements = Array.from({ length: 70 }, (_, n) => announcementOf(70 - n));
    await recordAs(store, order, { lifecycle: lifecycleAt(70), announcements });
    await recordNext(store, orderOf('2'), []);
    const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`);
    expect(await store.subjects.since(order, 0)).toEqual(lines(11, 70));
    expect(await store.subjects.since(order, 67)).toEqual(lines(68, 70));
    expect(await store.subjects.since(order, 70)).toEqual([]);
  });

  it('are unsent until they are acknowledged or dead-lettered, in the numeric order of revisions', async () => {
    const store = await openIn(database);
    const announcements = [10, 9, 2, 1].map((revision) => announcementOf(revision));
    await recordAs(store, order, { lifecycle: lifecycleAt(10), announcements });
    await store.outbox.sent(toDefault(announcementOf(9).id), { status: 200, ms: 5 });
    await store.outbox.deadLetter(toDefault(announcementOf(1).id), 'answered 410');
    expect(await store.subjects.unsent(order)).toEqual({
      default: [2, 10].map((revision) => announcementOf(revision).id),
    });
    expect(await store.subjects.since(order, 0)).toHaveLength(4);
  });

  it('do not change when the subject is recorded again', async () => {
    const store = await openIn(database);
    await recordNext(store, order, []);
    const before = await store.db.selectFrom('announcements').selectAll().execute();
    await observe(store, '1');
    expect(await store.db.selectFrom('announcements').selectAll().execute()).toEqual(before);
  });
});
