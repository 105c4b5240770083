import { copyFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { StoreLocation } from '../../../src/app/store.ts';
import { createRedelivery } from '../../../src/destinations/tables/redelivery.ts';
import { copyToPostgres } from '../../../src/store/copy.ts';
import { firstMigration } from '../../../src/store/migrations/first.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { entryOf, orderOf } from '../../support/make.ts';
import { describeOnBoth, describeOnPostgres, openIn, type TestDatabase } from '../databases.ts';
import { temporaryFile } from '../temporary-store.ts';
import { openBare } from './bare-database.ts';

const subject = orderOf('31');
const ids = ['order:9104:31/1/created', 'order:9104:31/2/packed', 'order:9104:31/3/closed'] as const;
const [waiting, given, held] = ids;

/** Writes a store of version 1 in which something waits in each way: to be recorded, sent, sent again, resumed and repeated. */
async function writeFirst(location: StoreLocation): Promise<void> {
  const { db, close } = await openBare(location);
  await migrate(db, 'x', { '0001-first': firstMigration });
  const { eventId, subjectKey, event } = entryOf('31', 1);
  await sql`insert into inbox (event_id, endpoint, tenant, subject_key, event, received_at, body)
    values (${eventId}, 'warehouse', '9104', ${subjectKey}, ${JSON.stringify(event)}, 1, ${Buffer.from('{}')})`.execute(
    db,
  );
  await sql`insert into destinations (tenant, id, name, settings, sealed, updated_at, paused_at, paused_by)
    values ('9104', 'shop', 'shop', '{"customers":["418"]}', ${Buffer.from('sealed')}, 1, 1, 'person')`.execute(db);
  await sql`insert into subjects (tenant, kind, subject_id, stage, stage_since, revision, lifecycle, customer_id, last_event_at,
      created_at, updated_at, announced_to, unannounced)
    values ('9104', 'order', '31', 'packed', 1, 3, '{"revision":3,"registers":{},"inferred":[],"lastEventTime":1,"snapshot":null}',
      '418', 1, 1, 1, '{"default":2,"shop":3}', 1)`.execute(db);
  for (const [index, id] of ids.entries())
    await sql`insert into announcements (id, tenant, kind, subject_id, revision, summary, body, created_at, customer_id)
      values (${id}, '9104', 'order', '31', ${index + 1}, 'x', ${Buffer.from('{}')}, 1, '418')`.execute(db);
  const outgoing = [
    [waiting, 'default', 1, null, null],
    [given, 'default', 2, 1, 5],
    [held, 'shop', 3, null, null],
  ] as const;
  for (const [id, destination, revision, previous, deadAt] of outgoing)
    await sql`insert into outbox (announcement, destination, tenant, kind, subject_id, revision, previous, created_at, tried_since, dead_lettered_at)
      values (${id}, ${destination}, '9104', 'order', '31', ${revision}, ${previous}, 1, 1, ${deadAt})`.execute(db);
  await sql`insert into bulk_actions (action, filter, state, created_at, created_by, token, expires_at, total, sample)
    values ('replay', '{"tenant":"9104","destination":"shop"}', 'running', 1, 'ana', 'ana', 2, 0, '[]')`.execute(db);
  await close();
}

/** Checks on the newest version that everything still waits, and that each goes on. */
async function expectKept(database: TestDatabase, location: StoreLocation): Promise<void> {
  const store = await openIn(database, { location });
  expect(store.inbox.waiting()).toBe(1);
  expect((await store.subjects.load(subject, 10)).events).toHaveLength(1);
  const shop = { tenant: '9104', name: 'shop' };
  expect(await store.destinations.find(shop)).toMatchObject({ id: 'shop', settings: '{"customers":["418"]}' });
  expect(await store.bulk.take()).toMatchObject([{ identity: null, filter: { destination: 'shop' } }]);
  expect(await store.subjects.unsent(subject)).toEqual({ default: [waiting] });
  const lease = (id: string, destination: string) => store.outbox.lease({ id, destination }, 1000);
  expect(await lease(waiting, 'default')).toMatchObject({ customerId: '418', previous: null });
  expect(await lease(held, 'shop')).toBe('held');
  await store.destinations.resume({ tenant: '9104', id: 'shop' });
  expect(await lease(held, 'shop')).toMatchObject({ customerId: '418' });
  await createRedelivery(store).requeue([given]);
  expect(await lease(given, 'default')).toMatchObject({ previous: 1 });
  await store.close();
}

describeOnBoth('a store of the first version', (database) => {
  it('keeps everything that waits as it is migrated', async () => {
    const location = await database.locateBlank();
    await writeFirst(location);
    await expectKept(database, location);
  });
});

it('a backup of the first version keeps everything that waits as it is restored', async () => {
  const [file, restored] = [temporaryFile(), temporaryFile()];
  await writeFirst({ file });
  copyFileSync(file, restored);
  await expectKept({} as TestDatabase, { file: restored });
});

describeOnPostgres('a store of the first version that moves to PostgreSQL', (database) => {
  it('keeps everything that waits', async () => {
    const file = temporaryFile();
    await writeFirst({ file });
    await database.locate();
    await copyToPostgres({ file, url: database.url });
    await expectKept(database, { url: database.url });
  });
});
