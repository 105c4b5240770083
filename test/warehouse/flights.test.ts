import { describe, expect, it } from 'vitest';
import { Flights } from '../../src/warehouse/client/flight.ts';
import { never } from './open-warehouse.ts';

const plain = { signal: never, rank: () => 0, withinMs: 10_000 };

/** Flights of one key, whose GETs begin and end when the test says so. */
function open() {
  const flights = new Flights();
  const gets: {
    begin(at: number): void;
    answer(value: string): void;
    fail(error: Error): void;
    signal: AbortSignal;
  }[] = [];
  const join = (asked: Partial<Parameters<typeof flights.join>[1]> = {}) =>
    flights.join('getUser 2108', { ...plain, ...asked }, ({ signal, onBegin }) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => reject(signal.reason));
      gets.push({ begin: (at) => onBegin?.(at), answer: resolve, fail: reject, signal });
      return promise;
    });
  return { join, gets };
}

describe('what several ask for at the same time', () => {
  it('is asked for once, and says for how many others', async () => {
    const { join, gets } = open();
    const all = Promise.all([join(), join(), join()]);
    gets[0]?.begin(1);
    gets[0]?.answer('a user');
    expect(await all).toEqual(Array.from({ length: 3 }, () => ({ value: 'a user', others: 2 })));
    expect(gets).toHaveLength(1);
    const again = join();
    gets[1]?.answer('the user');
    expect(await again).toEqual({ value: 'the user', others: 0 });
  });

  it('is asked for again by those for whom its GET began too early', async () => {
    const { join, gets } = open();
    const first = join({ since: 100 });
    gets[0]?.begin(200);
    const joined = join({ since: 200 });
    const second = join({ since: 201 });
    const third = join({ since: 300 });
    expect(gets).toHaveLength(2);
    gets[0]?.answer('as it was at 200');
    gets[1]?.begin(310);
    gets[1]?.answer('as it was at 310');
    const values = (await Promise.all([first, joined, second, third])).map(({ value }) => value);
    expect(values).toEqual(['as it was at 200', 'as it was at 200', 'as it was at 310', 'as it was at 310']);
  });

  it('serves those who ask later and want nothing newer, if it is kept', async () => {
    const { join, gets } = open();
    const kept = { isKept: (value: unknown) => value !== 'a failure' };
    const first = join({ ...kept, since: 100 });
    gets[0]?.begin(200);
    gets[0]?.answer('as it was at 200');
    await first;
    expect(await join({ ...kept, since: 200 })).toEqual({ value: 'as it was at 200', others: 0 });
    expect(gets).toHaveLength(1);
    const newer = join({ ...kept, since: 201 });
    gets[1]?.begin(300);
    gets[1]?.answer('a failure');
    await newer;
    const any = join({ ...kept, since: 300 });
    expect(gets).toHaveLength(3);
    gets[2]?.answer('as it is');
    expect((await any).value).toBe('as it is');
  });

  it('fails for all of them', async () => {
    const { join, gets } = open();
    const all = Promise.allSettled([join(), join()]);
    const reason = new Error('the warehouse is down');
    gets[0]?.fail(reason);
    expect(await all).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
  });

  it('is given up once all of them have', async () => {
    const { join, gets } = open();
    const controllers = [new AbortController(), new AbortController()];
    const all = Promise.allSettled(controllers.map(({ signal }) => join({ signal })));
    controllers[0]?.abort(new Error('first'));
    expect(gets[0]?.signal.aborted).toBe(false);
    const late = join();
    controllers[1]?.abort(new Error('second'));
    expect(gets[0]?.signal.aborted).toBe(false);
    gets[0]?.answer('a user');
    expect((await late).value).toBe('a user');
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const last = new AbortController();
    const lonely = join({ signal: last.signal }).catch(() => 'given up');
    last.abort();
    expect(gets[1]?.signal.aborted).toBe(true);
    expect(await lonely).toBe('given up');
    void join().catch(() => undefined);
    expect(gets).toHaveLength(3);
  });

  it('is given up by one that waits too long for it to begin, and not after that', async () => {
    const { join, gets } = open();
    const patient = join();
    const hasty = join({ withinMs: 5 }).catch(({ code }) => code);
    expect(await hasty).toBe('ERR_WAREHOUSE_BUSY');
    gets[0]?.begin(1);
    const later = join({ withinMs: 0 });
    await new Promise(setImmediate);
    gets[0]?.answer('a user');
    expect(await Promise.all([patient, later])).toHaveLength(2);
  });
});
