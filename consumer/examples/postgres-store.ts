import type { Store } from '@dockline/consumer';
import type { Pool, PoolClient } from 'pg';

/** Table of the store. */
export const table = 'create table if not exists dockline_subjects (subject text primary key, last bigint not null)';

/** Creates a store in PostgreSQL. What a handler writes with the client is committed with the position, or not at all. */
export function createPostgresStore(pool: Pool): Store<PoolClient> {
  return {
    async transact(subject, work) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('insert into dockline_subjects values ($1, 0) on conflict do nothing', [subject]);
        const { rows } = await client.query('select last from dockline_subjects where subject = $1 for update', [
          subject,
        ]);
        const result = await work({
          last: Number(rows[0].last),
          transaction: client,
          async advance(sequence) {
            await client.query('update dockline_subjects set last = $2 where subject = $1', [subject, sequence]);
          },
        });
        await client.query('commit');
        client.release();
        return result;
      } catch (error) {
        // Closing the connection rolls back.
        client.release(true);
        throw error;
      }
    },
  };
}
