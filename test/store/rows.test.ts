import { expect, it, onTestFinished } from 'vitest';
import { addRows, changeRows, deleteRows, putRows, rowsOf } from '../../src/store/rows.ts';
import { describeOnBoth } from './databases.ts';

describeOnBoth('rows of a table', (database) => {
  const note = { tenant: '9104', operation: 'getOrder', outcome: 'ok', since: 1, at: 1 } as const;

  async function openWith() {
    const { db, close } = await database.openEmpty();
    onTestFinished(close);
    await addRows(db, 'answers', [note, { ...note, operation: 'getReceiver' }, { ...note, tenant: '9105' }]).execute();
    return db;
  }

  it('are those with one value of each column that is named', async () => {
    const db = await openWith();
    const meant = rowsOf(db, 'answers', { tenant: '9104', operation: ['getReceiver'] }).select(['tenant', 'operation']);
    expect(await meant.execute()).toEqual([{ tenant: '9104', operation: 'getReceiver' }]);
    await changeRows(db, 'answers', { tenant: '9105' }).set({ at: 2 }).execute();
    await deleteRows(db, 'answers', { at: [2] }).execute();
    expect(await rowsOf(db, 'answers', {}).selectAll().execute()).toHaveLength(2);
  });

  it('are those without a value where that is meant', async () => {
    const db = await openWith();
    await putRows(db, 'alert_messages', {
      id: 'a',
      channel: 'x',
      made_at: 1,
      title: '',
      news: '[]',
      next_try_at: 1,
    }).execute();
    expect(await rowsOf(db, 'alert_messages', { notified_at: null }).select('id').execute()).toEqual([{ id: 'a' }]);
    expect(
      await rowsOf(db, 'alert_messages', { notified_at: [1] })
        .select('id')
        .execute(),
    ).toEqual([]);
  });

  it('that are there already stay, or are changed, but for their keys', async () => {
    const db = await openWith();
    const found = () => rowsOf(db, 'answers', { tenant: '9105' }).select(['before', 'since', 'at']).execute();
    await addRows(db, 'answers', { ...note, tenant: '9105', before: 2 }).execute();
    expect(await found()).toEqual([{ before: null, since: 1, at: 1 }]);
    await putRows(db, 'answers', { ...note, tenant: '9105', before: 2, since: 3 }, { before: 2 }).execute();
    expect(await found()).toEqual([{ before: 2, since: 1, at: 1 }]);
    await putRows(db, 'answers', { ...note, tenant: '9105', before: 3, since: 3 }).execute();
    expect(await found()).toEqual([{ before: 3, since: 3, at: 1 }]);
  });
});
