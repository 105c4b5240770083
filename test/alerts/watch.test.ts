import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { soundMachine } from '../health/sound-machine.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, describeOnPostgres, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { listen } from '../support/listen.ts';
import { order } from '../support/make.ts';
import { openWatch, webhookTo } from './open-watch.ts';
import { openReceiver, type Received } from './receiver.ts';

const START = Date.UTC(2026, 1, 11, 12);
const MINUTE = 60_000;

const hub = { tenant: '9104', id: 'hub', name: 'hub' };
const stop = ({ destinations }: Store, ref = hub) => destinations.pause(ref, 'it answered 410', 'dockline');

/** Returns what was received, as the condition, what it is about and the change. */
const newsIn = (received: readonly Received[]): readonly string[] =>
  received.flatMap(({ body }) =>
    body.alerts.map((it: { condition: string; place: string; change: string }) =>
      `${it.condition} ${it.change} ${it.place}`.trim(),
    ),
  );

describeOnEither('the watch', (database) => {
  async function open(channels: (url: string, other: string) => readonly string[]) {
    const clock = { now: START };
    const store = await openIn(database, { now: () => clock.now });
    await configure(store, { hub: {}, shop: {} });
    const [first, second] = [await openReceiver(), await openReceiver()];
    const watch = openWatch(store, channels(first.url, second.url));
    const pass = async (minutes: number, step = 1) => {
      for (let minute = 0; minute < minutes; minute += step) {
        clock.now += step * MINUTE;
        await watch.round();
      }
    };
    return { clock, store, first, second, pass, ...watch };
  }

  it('repeats a message under the same id until it is confirmed, and notes only then that it was told', async () => {
    const { store, first, pass } = await open((url) => [webhookTo('ops', url)]);
    first.answer.status = 503;
    first.answer.text = 'no_service';
    await stop(store);
    await pass(3);
    const [failed] = await store.alerts.openMessages();
    expect(failed).toMatchObject({ channel: 'ops', lastError: expect.stringContaining('answered 503: no_service') });
    expect(failed?.lastError, 'the path of the address is a secret').not.toContain('secret-path');
    expect((await store.alerts.all())[0]?.alert.notified).toEqual({});
    first.answer.status = 200;
    await pass(20);
    expect(newsIn(first.received)).toEqual(['destination-stopped opened 9104/hub']);
    expect(first.received[0]?.body.id).toBe(failed?.id);
    expect((await store.alerts.all())[0]?.alert.notified.ops).toMatchObject({ as: 'open' });
    expect(await store.alerts.openMessages()).toEqual([]);
  });

  it('gives a message with other news another id', async () => {
    const { store, first, pass } = await open((url) => [webhookTo('ops', url)]);
    first.answer.status = 503;
    await stop(store);
    await pass(2);
    const [before] = await store.alerts.openMessages();
    await stop(store, { ...hub, id: 'shop', name: 'shop' });
    await pass(2);
    first.answer.status = 200;
    await pass(20);
    expect(newsIn(first.received)).toEqual([
      'destination-stopped opened 9104/hub',
      'destination-stopped opened 9104/shop',
    ]);
    expect(first.received.length).toBe(1);
    expect(first.received[0]?.body.id).not.toBe(before?.id);
  });

  it('tells nobody of a condition that is silenced, and what is open once the silence ends', async () => {
    const { store, first, clock, pass } = await open((url) => [webhookTo('ops', url)]);
    await store.alerts.silence('destination-stopped', clock.now + 30 * MINUTE, 'ada');
    await stop(store);
    await pass(29);
    expect(first.received).toEqual([]);
    await pass(2);
    expect(newsIn(first.received)).toEqual(['destination-stopped opened 9104/hub']);
  });

  it('tells of everything that is wrong at a first start in one message', async () => {
    const { store, first, pass } = await open((url) => [webhookTo('ops', url)]);
    const names = Array.from({ length: 30 }, (_, number) => `hub${number}`);
    await configure(store, Object.fromEntries(names.map((name) => [name, {}])));
    for (const name of names) await stop(store, { ...hub, id: name });
    await recordAs(store, order, { deadline: { dueAt: START, atRiskAt: START, ruleAt: START, because: 'same day' } });
    await pass(5);
    expect(first.received.length).toBe(1);
    expect(first.received[0]?.body).toMatchObject({ title: 'Dockline alerts: 31 new', more: 11 });
  });

  it('takes sweeps that were read a while ago for as old as they were then', async () => {
    const clock = { now: START };
    const store = await openIn(database, { now: () => clock.now });
    const { url, received } = await openReceiver();
    const last = [{ tenant: '9104', succeededAt: START, differences: 0 }];
    const { round } = openWatch(store, [webhookTo('ops', url)], {
      sweeps: async () => ({ last, everyMs: MINUTE, at: START + MINUTE }),
    });
    for (let minute = 0; minute < 6; minute += 1) {
      clock.now += MINUTE;
      await round();
    }
    expect(received).toEqual([]);
  });

  it('tells a channel although another one never ends, and stops telling that when it is to stop', async () => {
    const hanging = createServer((socket) => void socket.on('error', () => undefined).write('220 relay\r\n'));
    const mail = `server: smtp://127.0.0.1:${await listen(hanging)}`;
    const lines = ['kind: email', mail, 'allowPlainText: yes', 'from: a@shop.test', 'to: [b@shop.test]'];
    const { store, first, clock, round } = await open((url) => [
      ['    - name: mail', ...lines].join('\n      '),
      webhookTo('ops', url),
    ]);
    await stop(store);
    await round();
    clock.now += 2 * MINUTE;
    const stopping = new AbortController();
    const telling = round(stopping.signal);
    await expect.poll(async () => (await store.alerts.all())[0]?.alert.notified.ops?.as).toBe('open');
    expect(first.received).toHaveLength(1);
    stopping.abort();
    await telling;
    expect(await store.alerts.openMessages()).toMatchObject([{ channel: 'mail', attempts: 1 }]);
  });

  it('is not silenced by a clock that was ahead', async () => {
    const { store, clock, first, pass } = await open((url) => [webhookTo('ops', url)]);
    first.answer.status = 503;
    clock.now += 365 * 24 * 60 * MINUTE;
    await stop(store);
    await store.alerts.silence('dead-letters', clock.now + 60 * MINUTE, 'ada');
    await pass(3);
    expect(await store.alerts.openMessages()).toHaveLength(1);
    first.answer.status = 200;
    clock.now = START;
    await pass(10);
    expect(newsIn(first.received)).toEqual(['destination-stopped opened 9104/hub']);
    expect(await store.alerts.silenced()).toEqual(new Set());
    await store.destinations.resume(hub);
    await pass(10);
    expect(newsIn(first.received)).toContain('destination-stopped over 9104/hub');
  });

  it.each([
    ['an error', new TypeError('rows is not iterable'), 'error'],
    ['no error', new Error('Temporal does not answer'), 'info'],
  ] as const)('logs what keeps it from judging as %s if that is one', async (_, thrown, level) => {
    const store = await openIn(database, { now: () => START });
    const logged: string[] = [];
    const note = (name: string) => (_about: object, text: string) => logged.push(`${name}: ${text}`);
    const logger = { info: note('info'), warn: note('warn'), error: note('error') };
    const freeBytes = () => Promise.reject(thrown);
    await openWatch(store, [webhookTo('ops', 'http://127.0.0.1:1')], { freeBytes }, logger as never).round();
    expect(logged).toEqual([`${level}: cannot find out whether a condition for alerts holds`]);
  });

  it('leaves an alert as it is while nothing can be found out, and tells that', async () => {
    const clock = { now: START };
    const store = await openIn(database, { now: () => clock.now });
    const { url, received } = await openReceiver();
    let sweeps = soundMachine.sweeps;
    const { round } = openWatch(store, [webhookTo('ops', url)], { sweeps: () => sweeps() });
    const pass = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.now += MINUTE;
        await round();
      }
    };
    sweeps = async () => ({
      last: [{ tenant: '9104', succeededAt: START, differences: 2 }],
      everyMs: 60 * MINUTE,
      at: START,
    });
    await pass(3);
    sweeps = async () => {
      throw new Error('Temporal does not answer');
    };
    await pass(20);
    expect(newsIn(received)).toEqual([
      'reconciliation-differences opened 9104',
      'unjudged opened reconciliation-failing',
      'unjudged opened reconciliation-differences',
    ]);
  });
});

describeOnPostgres('two processes', (database) => {
  it('tell once, and one of them goes on when the other has died', async () => {
    const clock = { now: START };
    const location = await database.locate();
    const { url, received } = await openReceiver();
    const stores = [
      await openIn(database, { location, now: () => clock.now }),
      await openIn(database, { location, now: () => clock.now }),
    ] as const;
    const [one, other] = stores.map((store) => openWatch(store, [webhookTo('ops', url)]));
    await configure(stores[0], { hub: {} });
    await stop(stores[0]);
    for (let minute = 0; minute < 5; minute += 1) {
      clock.now += MINUTE;
      await Promise.all([one?.round(), other?.round()]);
    }
    expect(newsIn(received)).toEqual(['destination-stopped opened 9104/hub']);
    const { leased_by: holder } = await stores[0].db
      .selectFrom('alert_watch')
      .select('leased_by')
      .executeTakeFirstOrThrow();
    const survivor = holder === stores[0].processes.id ? other : one;
    await stores[0].destinations.resume(hub);
    for (let minute = 0; minute < 10; minute += 1) {
      clock.now += MINUTE;
      await survivor?.round();
    }
    expect(newsIn(received).slice(1)).toEqual(['destination-stopped over 9104/hub']);
  });
});
