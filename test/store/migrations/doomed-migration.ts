import { Kysely, sql } from 'kysely';
import { postgresDialect } from '../../../src/store/engines/postgres.ts';
import { openSqlite, sqliteDialect } from '../../../src/store/engines/sqlite.ts';
import { migrate, migrations } from '../../../src/store/migrations/migrations.ts';

// Migrates the store of the argument up to the middle of its newest migration, says so, and waits to be killed.

const location = JSON.parse(process.argv[2] ?? '');
const dialect =
  'url' in location
    ? postgresDialect(location.url, { connections: 1, connectMs: 5000, statementMs: 0, synced: true })
    : sqliteDialect(openSqlite(location.file));
const doomed = {
  async up(db: Kysely<unknown>) {
    await sql`create table half (id integer)`.execute(db);
    process.stdout.write('half');
    await new Promise(() => setInterval(() => undefined, 1000));
  },
};
await migrate(new Kysely({ dialect }), 'x', { ...migrations, '9999-doomed': doomed });
