import { expect, it, onTestFinished } from 'vitest';
import { addRows, changeRows, deleteRows, putRows, rowsOf } from '../../src/store/rows.ts';
import { describeOnBoth } from './databases.ts';

describeOnBoth('rows of a table', (database) => {
  const note = { tenant: '9104', kind: 'order', reason: 'cut', since: 1, at: 1 } as const;

  async function openWith() {
    const { db, close } = await database.openEmpty();
    onTestFinished(close);
    await addRows(db, 'page_limits', [note, { ...note, kind: 'receipt' }, { ...note, tenant: '9105' }]).execute();
    return db;
  }

  it('are those with one value of each column that is named', async () => {
    const db = await openWith();
    const meant = rowsOf(db, 'page_limits', { tenant: '9104', kind: ['receipt'] }).select(['tenant', 'kind']);
    expect(await meant.execute()).toEqual([{ tenant: '9104', kind: 'receipt' }]);
    await changeRows(db, 'page_limits', { tenant: '9105' }).set({ at: 2 }).execute();
    await deleteRows(db, 'page_limits', { at: [2] }).execute();
    expect(await rowsOf(db, 'page_limits', {}).selectAll().execute()).toHaveLength(2);
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
    const found = () => rowsOf(db, 'page_limits', { tenant: '9105' }).select(['reason', 'since', 'at']).execute();
    await addRows(db, 'page_limits', { ...note, tenant: '9105', reason: 'new' }).execute();
    expect(await found()).toEqual([{ reason: 'cut', since: 1, at: 1 }]);
    await putRows(db, 'page_limits', { ...note, tenant: '9105', reason: 'new', since: 3 }, { reason: 'new' }).execute();
    expect(await found()).toEqual([{ reason: 'new', since: 1, at: 1 }]);
    await putRows(db, 'page_limits', { ...note, tenant: '9105', reason: 'newer', since: 3 }).execute();
    expect(await found()).toEqual([{ reason: 'newer', since: 3, at: 1 }]);
  });
});
