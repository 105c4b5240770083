import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createStore, type Store } from '../../src/app/store.ts';
import { connectToPostgres } from '../../src/store/engines/connections.ts';
import { entryOf, orderOf, toDefault } from '../support/make.ts';
import { describeOnPostgres, openIn } from './databases.ts';
import { recordNext } from './recordings.ts';

/** Orders that are over before others are counted. */
const OVER = 240;
const COUNTED = 10;

describeOnPostgres('a transaction that somebody leaves open', (database) => {
  it('makes no event read the entries of those that are over', async () => {
    // No minute goes by, after which everything is looked at again.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = { now: 1_000_000 };
    await openIn(database);
    const connections = await connectToPostgres(database.url, { connections: 1, readers: 1, patience: 60 });
    onTestFinished(() => connections.close());
    const store = await createStore(connections, () => clock.now);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin isolation level repeatable read; select count(*) from inbox');
    await arrive(store, OVER);
    await play(store, clock, OVER);
    clock.now += 60_000;
    await arrive(store, COUNTED, OVER);
    await sql`analyze`.execute(store.db);
    const before = await readsOf(store.db);
    await play(store, clock, COUNTED);
    const after = await readsOf(store.db);
    const perEvent = Object.entries(after).map(([index, entries]) => [
      index,
      Math.round((entries - (before[index] ?? 0)) / COUNTED),
    ]);
    expect(perEvent).toContainEqual(['inbox_event_id_key', 1]);
    expect(perEvent.filter(([, entries]) => Number(entries) > OVER / 3)).toEqual([]);
  });
});

/** Returns how many entries of each index were read over the connection. */
async function readsOf(db: Store['db']): Promise<Readonly<Record<string, number>>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; entries: number }>`
    select indexrelname as name, idx_tup_read as entries from pg_stat_user_indexes
    where relname in ('inbox', 'due', 'outbox')`.execute(db);
  return Object.fromEntries(rows.map(({ name, entries }) => [name, entries]));
}

const arrive = ({ inbox }: Store, count: number, first = 0) =>
  inbox.add(Array.from({ length: count }, (_, n) => entryOf(String(first + n), first + n + 1)));

/** Lets the events of orders, one for each, be recorded, announced and checked. */
async function play({ due, inbox, outbox, ...store }: Store, clock: { now: number }, count: number): Promise<void> {
  clock.now += 1000;
  const woken = await due.takeWakes(count);
  expect(woken).toHaveLength(count);
  for (const { key } of woken) {
    await inbox.waitingOf(key);
    const subject = orderOf(key.slice('order:9104:'.length));
    const { events } = await store.subjects.load(subject, 10);
    await recordNext(
      store,
      subject,
      events.map(({ id }) => id),
    );
    await store.subjects.unsent(subject);
    const outgoing = toDefault(`order:9104:${subject.id}/1/updated`);
    const lease = await outbox.lease(outgoing, 1000);
    if (typeof lease !== 'object' || 'quietMs' in lease) throw new Error(`${outgoing.id} is ${lease}`);
    await outbox.sent(lease, { status: 204, ms: 1 });
  }
  await due.nextWakeInMs();
  clock.now += 20_000;
  while ((await due.takeChecks(15_000, 50)).taken === 50);
}
