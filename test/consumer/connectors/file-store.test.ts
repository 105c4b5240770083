import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createFileStore } from '../../../consumer/examples/connectors/file-store.ts';

it('what a connector writes is kept with the position, or not at all, one announcement at a time', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec('create table done (what text)');
  const { transact } = createFileStore(database);
  const write = (what: string, fails: boolean) =>
    transact('order:1', async ({ last, transaction, advance }) => {
      transaction.prepare('insert into done values (?)').run(what);
      await new Promise(setImmediate);
      await advance(last + 1);
      if (fails) throw new Error(`no ${what}`);
      return last;
    });
  const results = await Promise.allSettled([write('first', false), write('second', true), write('third', false)]);
  expect(results).toMatchObject([{ value: 0 }, { reason: new Error('no second') }, { value: 1 }]);
  expect(database.prepare('select what from done').all()).toEqual([{ what: 'first' }, { what: 'third' }]);
});
