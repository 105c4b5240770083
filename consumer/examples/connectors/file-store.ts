import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '@dockline/consumer';

/** Keeps the position of each subject in one file, together with what the connector writes; takes one announcement at a time. */
export function createFileStore(database: DatabaseSync): Store<DatabaseSync> {
  database.exec('create table if not exists dockline_subjects (subject text primary key, last integer not null)');
  let turn: Promise<unknown> = Promise.resolve();
  return {
    transact(subject, work) {
      const result = turn.then(async () => {
        database.exec('begin immediate');
        try {
          const row = database.prepare('select last from dockline_subjects where subject = ?').get(subject);
          const done = await work({
            last: Number(row?.last ?? 0),
            transaction: database,
            async advance(sequence) {
              database.prepare('insert or replace into dockline_subjects values (?, ?)').run(subject, sequence);
            },
          });
          database.exec('commit');
          return done;
        } catch (error) {
          database.exec('rollback');
          throw error;
        }
      });
      turn = result.catch(() => undefined);
      return result;
    },
  };
}
