import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../src/inbox/rows.ts';
import type { Endpoint } from '../../src/ingress/endpoints.ts';
import { type Received, toEntry } from '../../src/ingress/message/entry.ts';
import { openThreadedReader } from '../../src/ingress/threaded-reader.ts';
import { findBody } from '../../src/store/tables/bodies.ts';
import { message, openWebhook } from './open-webhook.ts';

const options = { tenant: '9104', aliases: { orderinvented: 'OrderCreate' } };
const LARGE = 65_536;
const large = (fields: object) => JSON.stringify({ ...JSON.parse(message), ...fields, notes: 'é'.repeat(LARGE) });
const summary = { FacilityId: 3, ItemIdentifier: { id: 5 }, available: 5 };
const stock = { eventType: 'InventorySummaryUpdate', resource: { body: summary } };
/** Four megabytes of numbers, each of which is quoted before parsing. */
const worst = `${message.slice(0, -1)},"many":[${Array(240_000).fill('9007199254740993,').join('')}0]}`.padEnd(
  4_194_304,
);

const received = (body: string | Buffer): Received => ({
  endpoint: 'warehouse',
  receivedAt: 1_700_000_000_000,
  body: Buffer.from(body as string),
});

/** Opens a reader until the test ends, with its warnings. */
function setUp(deps: { readonly program?: URL; readonly idleMs?: number } = {}) {
  const endpoint: Endpoint = { verify: async () => 'authentic', tenant: options.tenant };
  const warnings: string[] = [];
  const reader = openThreadedReader({
    ...deps,
    endpoints: new Map([['warehouse', endpoint]]),
    aliases: options.aliases,
    logger: { warn: (_fields, text) => void warnings.push(text) },
  });
  onTestFinished(() => reader.close());
  return { ...reader, warnings };
}

/** Records the threads that this process starts until the test ends, oldest first, and reports each as it starts. */
function watchThreads(onStart: (thread: Worker) => void = () => {}): readonly Worker[] {
  const threads: Worker[] = [];
  const note = (thread: Worker) => {
    threads.push(thread);
    onStart(thread);
  };
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return threads;
}

describe('a large body', () => {
  const cases: readonly [string, string | Buffer, object][] = [
    ['that is understood', large({}), { subjectKey: 'order:9104:7' }],
    ['with an alias', large({ eventType: 'OrderInvented' }), { event: { name: 'OrderCreate' } }],
    ['with what a summary shows', large(stock), { event: { shown: { levels: { available: 5 } } } }],
    [
      'of an unknown event',
      large({ eventType: 'OrderExploded' }),
      { quarantineReason: expect.stringContaining('unknown event "OrderExploded"') },
    ],
    ["of another's tenant", large({ tplId: 7001 }), { quarantineReason: 'names tenant 7001 at the endpoint of 9104' }],
    ['that is not JSON', '<'.repeat(LARGE), { quarantineReason: 'unreadable: not JSON' }],
    ['that is not UTF-8', Buffer.alloc(LARGE, 0xff), { quarantineReason: 'unreadable: not UTF-8' }],
    ['at the limits', worst, { subjectKey: 'order:9104:7' }],
  ];

  it('is read in the thread with the same result as on the main thread', async () => {
    const threads = watchThreads();
    const { read, warnings } = setUp();
    for (const [name, body, expected] of cases) {
      const delivery = received(body);
      const entry = await read(delivery);
      expect(unpacked(entry), name).toEqual(asText(toEntry(delivery, options)));
      expect(entry, name).toMatchObject({ ...expected, uncompressedBytes: delivery.body.byteLength });
      expect(entry.body.byteLength, name).toBeLessThan(delivery.body.byteLength / 10);
    }
    expect([threads.length, warnings]).toEqual([1, []]);
  });

  it('that gzip does not shrink is stored uncompressed', async () => {
    const { read } = setUp();
    const delivery = received(randomBytes(LARGE));
    const entry = await read(delivery);
    expect(entry).toEqual(toEntry(delivery, options));
    expect(entry.body).toBe(delivery.body);
  });

  it('to a removed endpoint is quarantined', async () => {
    const { read } = setUp();
    const entry = await read({ ...received(large({})), endpoint: 'gone' });
    expect(entry).toMatchObject({ endpoint: 'gone', quarantineReason: 'the endpoint gone no longer exists' });
    expect(entry).not.toHaveProperty('event');
  });

  it('is stored by the webhook with all its bytes', async () => {
    const threads = watchThreads();
    const { read } = setUp();
    const { post, store } = await openWebhook({ read, bodyLimit: 10 * LARGE });
    const body = large({});
    expect((await post(body)).statusCode).toBe(200);
    expect(Buffer.from((await findBody(store.db, '9104:1')) ?? []).toString()).toBe(body);
    const row = await store.db.selectFrom('inbox').select('uncompressed_bytes').executeTakeFirstOrThrow();
    expect(row.uncompressed_bytes).toBe(Buffer.byteLength(body));
    expect(threads).toHaveLength(1);
  });

  it('does not block the main thread', async () => {
    const { read } = setUp();
    // Otherwise the turns of starting the thread would count as well.
    await read(received(large({})));
    let turns = 0;
    let isRead = false;
    const reading = Promise.resolve(read(received(worst))).finally(() => {
      isRead = true;
    });
    for (; !isRead; turns += 1) await turn();
    await reading;
    expect(turns).toBeGreaterThan(20);
  });

  it('is read on the main thread while sixteen others wait, and none is lost', async () => {
    const threads = watchThreads();
    const { read, warnings } = setUp();
    const readings = Array.from({ length: 18 }, (_, index) => read(received(large({ wmsEventId: index + 1 }))));
    expect(readings.map((reading) => reading instanceof Promise).lastIndexOf(true)).toBe(16);
    const ids = (await Promise.all(readings)).map(({ eventId }) => eventId);
    expect(ids).toEqual(Array.from({ length: 18 }, (_, index) => `9104:${index + 1}`));
    expect([threads.length, warnings]).toEqual([1, []]);
  });
});

describe('the thread', () => {
  it('is not started by small bodies, which are read synchronously', async () => {
    const threads = watchThreads();
    const { read } = setUp();
    const delivery = received(message.padEnd(LARGE - 1));
    expect(read(delivery)).toEqual(toEntry(delivery, options));
    // The start of a thread is reported in a later turn.
    await turn();
    expect(threads).toHaveLength(0);
    await read(received(message.padEnd(LARGE)));
    expect(threads).toHaveLength(1);
  });

  it('is the only one', async () => {
    const threads = watchThreads();
    const { read } = setUp();
    await Promise.all(Array.from({ length: 4 }, () => read(received(large({})))));
    expect(threads).toHaveLength(1);
  });

  it.runIf(platform() === 'linux')('has a lower priority than the main thread', async () => {
    const { read } = setUp();
    await read(received(large({})));
    const own = nicenessOf(process.pid);
    expect(readdirSync('/proc/self/task').map(nicenessOf)).toContain(Math.min(19, own + 10));
    expect(nicenessOf(process.pid)).toBe(own);
  });

  it('stops when it is idle, and starts again for the next body', async () => {
    const threads = watchThreads();
    const { read, warnings } = setUp({ idleMs: 1 });
    await read(received(large({})));
    await expect.poll(() => threads[0]?.threadId).toBe(-1);
    expect((await read(received(large({})))).subjectKey).toBe('order:9104:7');
    expect([threads.length, warnings]).toEqual([2, []]);
  });

  it('stops with the reader; the main thread reads later bodies', async () => {
    const threads = watchThreads();
    const { read, close, warnings } = setUp();
    await read(received(large({})));
    const [thread] = threads;
    if (!thread) throw new Error('no thread was started');
    const exited = once(thread, 'exit');
    await close();
    await exited;
    expect(read(received(large({})))).toMatchObject({ subjectKey: 'order:9104:7' });
    await turn();
    expect([threads.length, warnings]).toEqual([1, []]);
  });
});

describe('a thread that fails', () => {
  it('midway leaves its bodies to the main thread; a new thread reads the next one', async () => {
    const threads = watchThreads();
    const { read, warnings } = setUp();
    await read(received(large({})));
    const bodies = [worst, large({ wmsEventId: 2 }), large({ wmsEventId: 3 })].map(received);
    const readings = bodies.map((delivery) => read(delivery));
    await threads[0]?.terminate();
    expect((await Promise.all(readings)).map(asText)).toEqual(
      bodies.map((delivery) => asText(toEntry(delivery, options))),
    );
    expect(warnings).toEqual(['the reading thread failed; the main thread reads large bodies']);
    expect((await read(received(large({ wmsEventId: 4 })))).eventId).toBe('9104:4');
    expect([threads.length, warnings.length]).toEqual([2, 1]);
  });

  it.each<[string, URL | undefined]>([
    ['because its program is not there', new URL('nobody.ts', import.meta.url)],
    ['because it is ended', undefined],
  ])('to start %s leaves every body to the main thread', async (_case, program) => {
    const threads = watchThreads((thread) => !program && void thread.terminate());
    const { read, warnings } = setUp(program && { program });
    const bodies = [large({}), large({ wmsEventId: 2 })].map(received);
    const entries = await Promise.all(bodies.map((delivery) => read(delivery)));
    expect(entries).toEqual(bodies.map((delivery) => toEntry(delivery, options)));
    expect(threads.length).toBeGreaterThan(0);
    expect(warnings).toEqual(['the reading thread failed; the main thread reads large bodies']);
  });
});

/** An entry whose body is text, which is compared in a thousandth of the time that bytes take. */
const asText = ({ body, ...entry }: Entry) => ({ ...entry, body: Buffer.from(body).toString('latin1') });

/** An entry as it would be if nothing were gzipped, as {@link asText}. */
const unpacked = ({ uncompressedBytes: _bytes, body, ...entry }: Entry) => asText({ ...entry, body: gunzipSync(body) });

/** Of a thread of this process: the 19th field, counted after the name, which may have spaces. */
function nicenessOf(thread: string | number): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
