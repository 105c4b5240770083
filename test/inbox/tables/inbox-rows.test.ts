import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import { createSummary } from '../../../sandbox/demonstration/stored.ts';
import type { Store } from '../../../src/app/store.ts';
import type { Entry } from '../../../src/domain/quarantine.ts';
import { findBody } from '../../../src/inbox/tables/quarantined.ts';
import { isWaiting, isWaitingOfEvent, isWaitingOfSubject } from '../../../src/inbox/tables/waiting.ts';
import { describeOnAll, openIn } from '../../store/databases.ts';
import { observe, recordNext, waitingKeys } from '../../store/recordings.ts';
import { entryOf, orderOf, quarantinedEntry } from '../../support/make.ts';

describeOnAll('inbox rows', (database) => {
  it('keep the first of two entries with one key, also within one call', async () => {
    const { inbox } = await openIn(database);
    expect(await inbox.add([entryOf('1', 1), entryOf('1', 1), entryOf('1', 2)])).toEqual([true, false, true]);
    expect(await inbox.add([entryOf('1', 2)])).toEqual([false]);
    expect(inbox.waiting()).toBe(2);
  });

  it('store the entries of a call in order', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    await inbox.add([30, 10, 20].map((n) => entryOf(String(n), n)));
    expect(await waitingKeys(store)).toEqual([30, 10, 20].map((n) => `order:9104:${n}`));
  });

  it('let an understood delivery replace a quarantined one, and never the reverse', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    await inbox.add([quarantinedEntry('9104:1'), entryOf('2', 2)]);
    expect(await inbox.add([entryOf('1', 1), quarantinedEntry('9104:2')])).toEqual([true, false]);
    expect(await createSummary(store).quarantined()).toEqual([]);
    expect(inbox.waiting()).toBe(2);
  });

  it('prefer the understood of two deliveries with one key in one call', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    expect(await inbox.add([quarantinedEntry('9104:1'), entryOf('1', 1)])).toEqual([false, true]);
    expect(await inbox.add([entryOf('2', 2), quarantinedEntry('9104:2')])).toEqual([true, false]);
    expect(await createSummary(store).quarantined()).toEqual([]);
    expect(inbox.waiting()).toBe(2);
  });

  it('write all entries of a call or none', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    const broken = { ...entryOf('1', 2), body: null as unknown as Uint8Array };
    await expect(inbox.add([entryOf('1', 1), broken])).rejects.toThrow(/not.null/i);
    expect(inbox.waiting()).toBe(0);
    expect(await waitingKeys(store)).toEqual([]);
  });

  const delivery = (rows: readonly Entry[]): Entry => {
    const { event: _event, subjectKey: _subjectKey, ...entry } = entryOf('', 1);
    return { ...entry, rows };
  };

  it('write a delivery with its rows, once, and only the rows wait', async () => {
    const store = await openIn(database);
    const { db, inbox } = store;
    const rows = [entryOf('a', 2), entryOf('b', 3), quarantinedEntry('9104:1/row')];
    expect(await inbox.add([delivery(rows)])).toEqual([true]);
    expect(await waitingKeys(store)).toEqual(['order:9104:a', 'order:9104:b']);
    expect(inbox.waiting()).toBe(2);
    expect(await createSummary(store).quarantined()).toMatchObject([{ count: 1 }]);
    expect(Buffer.from((await findBody(db, '9104:1')) ?? []).toString()).toBe('{"n":1}');
    expect(await inbox.add([delivery(rows)])).toEqual([false]);
    expect(await inbox.add([delivery([...rows, entryOf('c', 4)])])).toEqual([true]);
    expect(inbox.waiting()).toBe(3);
  });

  it('write all rows of a large delivery or none', async () => {
    const store = await openIn(database);
    const { db, inbox } = store;
    const rows = Array.from({ length: 1200 }, (_, n) => entryOf(String(n), n + 2));
    const broken = { ...entryOf('x', 5000), body: null as unknown as Uint8Array };
    await expect(inbox.add([delivery([...rows, broken])])).rejects.toThrow(/not.null/i);
    expect(await waitingKeys(store)).toEqual([]);
    expect(await findBody(db, '9104:1')).toBeUndefined();
    expect(await inbox.add([delivery(rows)])).toEqual([true]);
    expect(inbox.waiting()).toBe(1200);
    expect((await waitingKeys(store)).toSorted()).toEqual(rows.map(({ subjectKey }) => subjectKey).toSorted());
  });

  it('accept an empty call', async () => {
    const { inbox } = await openIn(database);
    expect(await inbox.add([])).toEqual([]);
  });

  it('return a body as it was received', async () => {
    const { db, inbox } = await openIn(database);
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await inbox.add([{ ...entryOf('1', 1), body }]);
    expect(Buffer.from((await findBody(db, '9104:1')) ?? [])).toEqual(Buffer.from(body));
    expect(await findBody(db, '9104:2')).toBeUndefined();
  });

  it('store a reason with characters that text columns cannot hold', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    await inbox.add([quarantinedEntry('p', '\0\ud800')]);
    expect(await createSummary(store).quarantined()).toMatchObject([{ count: 1 }]);
  });

  it('keep the count of waiting rows across observing, quarantining and reopening', async () => {
    const location = await database.locate();
    const store = await openIn(database, { location });
    await store.inbox.add([entryOf('1', 1), entryOf('1', 2), entryOf('2', 3), quarantinedEntry('p')]);
    for (let time = 0; time < 2; time += 1) {
      await recordNext(store, orderOf('1'), ['9104:1']);
      await store.inbox.quarantine(['9104:1', '9104:2', 'p', 'unknown'], { code: 'unrecordable', message: 'because' });
      expect(store.inbox.waiting()).toBe(1);
    }
    await store.close();
    const again = await openIn(database, { location });
    expect(again.inbox.waiting()).toBe(1);
    expect(await waitingKeys(again)).toEqual(['order:9104:2']);
    expect(await createSummary(again).quarantined()).toEqual([
      { reason: 'unknown event "X" of an order', count: 1 },
      { reason: 'cannot be recorded: because', count: 1 },
    ]);
  });

  it('are quarantined for a whole subject, except observed ones', async () => {
    const store = await openIn(database);
    await store.inbox.add([1, 2, 3].map((n) => entryOf('1', n)));
    await store.inbox.add([entryOf('2', 4)]);
    await observe(store, '1', 1);
    await store.inbox.quarantineAll('order:9104:1', { code: 'rejected', message: 'because' });
    expect(await createSummary(store).quarantined()).toEqual([{ reason: 'Temporal refuses it: because', count: 2 }]);
    expect(await waitingKeys(store)).toEqual(['order:9104:2']);
    expect(store.inbox.waiting()).toBe(1);
  });

  it('wait again once a delivery with their key is understood, unless they are observed', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1)]);
    await store.inbox.quarantine(['9104:1'], { code: 'unrecordable', message: 'because' });
    expect(await store.inbox.add([entryOf('1', 1)])).toEqual([true]);
    expect(store.inbox.waiting()).toBe(1);
    await observe(store, '1');
    expect(await store.inbox.add([entryOf('1', 1)])).toEqual([false]);
    expect(store.inbox.waiting()).toBe(0);
  });

  it('keep the count of waiting rows during concurrent calls', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    await inbox.add([1, 2, 3, 4].map((n) => entryOf(String(n), n)));
    await Promise.all([...['1', '2', '3', '4'].map((id) => observe(store, id)), inbox.add([entryOf('1', 5)])]);
    expect(await waitingKeys(store)).toHaveLength(inbox.waiting());
  });

  it('are found by an index of waiting rows, however many are observed', async () => {
    const { db, inbox } = await openIn(database);
    for (let n = 0; n < 10; n += 1)
      await inbox.add(Array.from({ length: 500 }, (_, row) => entryOf(String(row % 250), n * 500 + row)));
    await sql`update inbox set observed_at = 1 where id % 50 > 0`.execute(db);
    await sql`analyze`.execute(db);
    const plans = [
      await planOf(db, sql`select id, subject_key from inbox where ${isWaiting} and id > 5 order by id limit 9`),
      await planOf(
        db,
        sql`select id, event from inbox where ${isWaitingOfSubject} and subject_key = 'x' order by id limit 9`,
      ),
      await planOf(db, sql`select count(*) from inbox where ${isWaiting}`),
      await planOf(db, sql`update inbox set observed_at = 1 where event_id in ('a', 'b') and ${isWaitingOfEvent}`),
      await planOf(db, sql`select body from inbox where quarantine_code is not null and id > 5 order by id limit 9`),
    ];
    expect(plans).toEqual([
      expect.stringMatching(/Index (Only )?Scan using inbox_waiting on|SEARCH inbox USING INDEX inbox_waiting \(id>/),
      expect.stringMatching(
        /Index Scan using inbox_waiting_subject on|SEARCH inbox USING INDEX inbox_waiting_subject \(subject_key=/,
      ),
      expect.stringMatching(/Scan (using|on) inbox_waiting|USING INDEX inbox_waiting/),
      expect.not.stringContaining('inbox_waiting'),
      expect.stringMatching(/Index Scan using inbox_quarantine_order on|INDEX inbox_quarantine_order \(id>/),
    ]);
  });

  async function planOf(db: Store['db'], statement: RawBuilder<unknown>): Promise<string> {
    const explain = database.name === 'SQLite' ? sql`explain query plan ${statement}` : sql`explain ${statement}`;
    const { rows } = await explain.execute(db);
    return rows.map((row) => Object.values(row as object).at(-1)).join('\n');
  }
});
