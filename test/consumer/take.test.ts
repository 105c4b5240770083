import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPostgresStore, table } from '../../consumer/examples/postgres-store.ts';
import type { Announcement } from '../../consumer/src/announcement.ts';
import { createMemoryStore } from '../../consumer/src/memory-store.ts';
import type { Store } from '../../consumer/src/store.ts';
import { type TakeOptions, take } from '../../consumer/src/take.ts';
import { command } from '../../proving/faults/fixture/database.ts';
import { createTestAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import { databaseUrl } from '../support/postgres.ts';

const announcementOf = (subject: string, revision: number, data: object = {}): Announcement => ({
  type: 'unknown',
  sentType: 'dockline.order.updated',
  id: `${subject}/${revision}/updated`,
  source: '/dockline/1',
  partitionkey: subject,
  sequence: String(revision),
  data,
});

/** Opens a store and a log whose lines share the store's transaction. */
interface OpenStore<T> {
  readonly store: Store<T>;
  write(transaction: T, line: string): Promise<void>;
  lines(): Promise<string[]>;
}

async function openMemory(): Promise<OpenStore<undefined>> {
  const written: string[] = [];
  return {
    store: createMemoryStore(),
    async write(_, line) {
      written.push(line);
    },
    lines: async () => written,
  };
}

/** Database of the tests of this file, which use it one after the other. */
let pool: Pool;

function useDatabase(): void {
  const { server = '' } = inject('postgres') ?? {};
  const name = `dockline_consumer_${randomUUID().slice(0, 8)}`;
  beforeAll(async () => {
    await command(server, `create database ${name}`);
    pool = new Pool({ connectionString: databaseUrl(server, name) });
    await pool.query(`${table}; create table log (n serial, line text)`);
  });
  afterAll(async () => {
    await pool.end();
    await command(server, `drop database ${name}`);
  });
}

async function openPostgres(): Promise<OpenStore<PoolClient>> {
  await pool.query('delete from dockline_subjects; delete from log');
  return {
    store: createPostgresStore(pool),
    async write(client, line) {
      await client.query('insert into log (line) values ($1)', [line]);
    },
    async lines() {
      const { rows } = await pool.query<{ line: string }>('select line from log order by n');
      return rows.map(({ line }) => line);
    },
  };
}

function cases<T>(open: () => Promise<OpenStore<T>>, numRuns: number) {
  /** Opens a store with a handler that fails as often as told, and then writes the id of each announcement. */
  async function openTaker(failures = 0, options: Partial<TakeOptions<T>> = {}) {
    const { store, write, lines } = await open();
    let left = failures;
    const handle = async ({ id }: Announcement, transaction: T) => {
      if (left > 0) {
        left -= 1;
        throw new Error('the handler fails');
      }
      await write(transaction, id);
    };
    return { lines, take: (announcement: Announcement) => take(announcement, { store, handle, ...options }) };
  }

  it('takes each announcement once, whatever is sent twice, early, at the same time or while the handler fails', async () => {
    const sending = fc.record({ subject: fc.constantFrom('a', 'b'), revision: fc.integer({ min: 1, max: 5 }) });
    const sendings = fc.array(fc.array(sending, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sendings, fc.nat(4), async (rounds, failures) => {
        const taker = await openTaker(failures);
        const send = ({ subject, revision }: { subject: string; revision: number }) =>
          taker.take(announcementOf(subject, revision)).catch(() => 'failed');
        for (const round of rounds) await Promise.all(round.map(send));
        // Dockline sends again what was not taken.
        const all = ['a', 'b'].flatMap((subject) => [1, 2, 3, 4, 5].map((revision) => ({ subject, revision })));
        for (const one of all) while ((await send(one)) === 'failed');
        const lines = await taker.lines();
        for (const subject of ['a', 'b']) {
          expect(lines.filter((line) => line.startsWith(subject))).toEqual(
            [1, 2, 3, 4, 5].map((revision) => `${subject}/${revision}/updated`),
          );
        }
      }),
      { numRuns },
    );
  });

  it('says what came of each', async () => {
    const taker = await openTaker();
    const outcomes = [];
    for (const revision of [2, 1, 1, 3, 2, 3, 2]) outcomes.push(await taker.take(announcementOf('a', revision)));
    expect(outcomes).toEqual(['early', 'taken', 'duplicate', 'early', 'taken', 'taken', 'duplicate']);
    expect(await taker.lines()).toEqual(['a/1/updated', 'a/2/updated', 'a/3/updated']);
  });

  it('takes what follows a gap if the gap is accepted, and then nothing from before it', async () => {
    const gaps: number[] = [];
    const taker = await openTaker(0, { acceptGap: ({ last }) => gaps.push(last) > 1 });
    const outcomes = [];
    for (const revision of [7, 7, 6, 8]) outcomes.push(await taker.take(announcementOf('a', revision)));
    expect(outcomes).toEqual(['early', 'taken', 'duplicate', 'taken']);
    expect(gaps).toEqual([0, 0]);
  });

  it('takes what a filter leaves out for no gap, and what was not taken for one', async () => {
    const taker = await openTaker();
    const outcomes = [];
    for (const [revision, previous] of [
      [4, null],
      [9, 4],
      [15, 12],
      [12, 9],
      [15, 12],
    ] as const)
      outcomes.push(await taker.take(announcementOf('a', revision, { previous })));
    expect(outcomes).toEqual(['taken', 'taken', 'early', 'taken', 'taken']);
  });

  it('takes a replay of what was taken only with a handler for it', async () => {
    const replay = announcementOf('a', 1, { previous: null, replay: true });
    const plain = await openTaker();
    expect([await plain.take(replay), await plain.take(replay)]).toEqual(['taken', 'duplicate']);
    const { store, write, lines } = await open();
    const handle = async () => {};
    const handleReplay = async ({ id }: Announcement, transaction: T) => await write(transaction, `again ${id}`);
    const options = { store, handle, handleReplay };
    expect([await take(replay, options), await take(replay, options)]).toEqual(['taken', 'taken']);
    expect(await take(announcementOf('a', 1), options)).toBe('duplicate');
    expect(await lines()).toEqual(['again a/1/updated']);
  });

  it('keeps no position of work that fails after it has advanced', async () => {
    const { store } = await open();
    const failing = store.transact('a', async ({ advance }) => {
      await advance(1);
      throw new Error('the work fails');
    });
    await expect(failing).rejects.toThrow('the work fails');
    expect(await store.transact('a', async ({ last }) => last)).toBe(0);
  });

  it('ignores a test of the connection', async () => {
    const taker = await openTaker(1);
    const { type, ...test } = JSON.parse(createTestAnnouncement('9104').body);
    expect(await taker.take({ ...test, type: 'unknown', sentType: type })).toBe('ignored');
    expect(await taker.lines()).toEqual([]);
  });

  it('takes what is about no subject once by its id', async () => {
    const taker = await openTaker();
    const { partitionkey: _, ...bulletin } = announcementOf('bulletin', 7);
    const outcomes = [];
    for (let n = 0; n < 2; n += 1) outcomes.push(await taker.take(bulletin as Announcement));
    expect(outcomes).toEqual(['taken', 'duplicate']);
    expect(await taker.lines()).toEqual(['bulletin/7/updated']);
  });
}

describe('taking announcements with a store in memory', () => cases(openMemory, 300));

describe.skipIf(!inject('postgres'))('taking announcements with the store of the example for PostgreSQL', () => {
  useDatabase();
  cases(openPostgres, 10);

  it('keeps nothing of a handler that fails after it has written', async () => {
    const { store, write, lines } = await openPostgres();
    const handle = async ({ id }: Announcement, client: PoolClient) => {
      await write(client, id);
      throw new Error('the handler fails');
    };
    await expect(take(announcementOf('a', 1), { store, handle })).rejects.toThrow('the handler fails');
    expect(await lines()).toEqual([]);
    expect(await take(announcementOf('a', 1), { store, handle: ({ id }, client) => write(client, id) })).toBe('taken');
    expect(await lines()).toEqual(['a/1/updated']);
  });
});
