import { expect, it } from 'vitest';
import type { Machine } from '../../src/alerts/conditions/search.ts';
import type { ConditionName } from '../../src/domain/alerts/condition.ts';
import type { Store } from '../../src/store/store.ts';
import { createDeadLetters } from '../../src/store/tables/dead-letters.ts';
import { quarantinedEntry } from '../inbox/entries.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { announcementOf, lifecycleAt, order, recordAs, toDefault } from '../store/recordings.ts';
import { openWatch, soundMachine, webhookTo } from './open-watch.ts';
import { openReceiver } from './receiver.ts';

const START = Date.UTC(2026, 1, 11, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const hub = { tenant: '9104', name: 'hub' };

type Change = (store: Store, machine: Machine) => unknown;

/** Condition that begins and ends, with what is told of it. */
interface Case {
  readonly begin: Change;
  readonly end: Change;
  readonly about: string;
  readonly text: string;
  readonly url: string;
  readonly because?: RegExp;
  /** It concerns the machine, and no account. */
  readonly isOfMachine?: true;
}

const noteRetrieving = (code: 'ERR_WAREHOUSE_UNAUTHENTICATED' | 'ERR_WAREHOUSE_FAILED') => (store: Store) =>
  store.troubles.note(order, 'retrieving', {
    operation: 'getOrder',
    error: 'GET /orders/7 answered 503',
    code,
    nextTryAt: store.now(),
  });

const endRetrieving = (store: Store) => store.troubles.end(order, 'retrieving');

const due = (dueAt: number) => ({
  deadline: { dueAt, atRiskAt: dueAt - 2 * HOUR, because: 'same day' },
  customerId: '418',
});

const close = (store: Store) =>
  recordAs(store, order, {
    ...due(START),
    lifecycle: lifecycleAt(2, { registers: { closing: { milestone: 'confirmed', time: 1, eventId: null } } }),
  });

const sweeps = (succeededAt: number, differences: number) => async () => ({
  last: [{ tenant: '9104', succeededAt, differences }],
  everyMs: HOUR,
  at: START,
});

const cases: Readonly<Record<Exclude<ConditionName, 'dockline-away'>, Case>> = {
  'destination-failing': {
    begin: ({ destinations }) => destinations.failed(hub, 'POST answered 503'),
    end: ({ destinations }) => destinations.succeeded(hub),
    about: 'hub of warehouse 9104',
    text: 'Destination hub of warehouse 9104 fails (POST answered 503)',
    url: '/board/destinations/9104/hub',
    because: /503/,
  },
  'destination-stopped': {
    begin: ({ destinations }) => destinations.pause(hub, 'it answered 410', 'dockline'),
    end: ({ destinations }) => destinations.resume(hub),
    about: 'hub of warehouse 9104',
    text: 'Dockline has stopped sending to destination hub of warehouse 9104',
    url: '/board/destinations/9104/hub',
    because: /410/,
  },
  'warehouse-failing': {
    begin: noteRetrieving('ERR_WAREHOUSE_FAILED'),
    end: endRetrieving,
    about: 'warehouse 9104',
    text: 'Warehouse 9104 fails (GET /orders/7 answered 503); orders and records that wait: 1',
    url: '/board/subjects?attention=failing&tenant=9104',
    because: /GET .* answered 503/,
  },
  'credential-refused': {
    begin: noteRetrieving('ERR_WAREHOUSE_UNAUTHENTICATED'),
    end: endRetrieving,
    about: 'warehouse 9104',
    text: 'Warehouse 9104 refuses the credential; orders and records that wait: 1',
    url: '/board/subjects?attention=failing&tenant=9104',
  },
  quarantine: {
    begin: ({ inbox }) => inbox.add([quarantinedEntry('q1'), quarantinedEntry('q2')]),
    end: ({ db }) => db.deleteFrom('inbox').execute(),
    about: '',
    text: 'Webhooks in quarantine: 2',
    url: '/board/quarantine',
    because: /^of the oldest, /,
  },
  'dead-letters': {
    async begin(store) {
      await recordAs(store, order, { announcements: [announcementOf(1)] });
      await store.outbox.deadLetter(toDefault(announcementOf(1).id), 'answered 410');
    },
    end: (store) => createDeadLetters(store).requeue([announcementOf(1).id]),
    about: '',
    text: 'Announcements that were given up (dead letters): 1',
    url: '/board/dead-letters',
    because: /^answered 410$/,
  },
  stalled: {
    begin: (store) =>
      recordAs(store, order, {
        lifecycle: lifecycleAt(1, { registers: { attention: { milestone: 'stalled', time: 1, eventId: null } } }),
      }),
    end: (store) => recordAs(store, order, { lifecycle: lifecycleAt(2) }),
    about: 'warehouse 9104',
    text: 'Orders that have been in their stage for too long, of warehouse 9104: 1',
    url: '/board/subjects?attention=stalled&tenant=9104',
  },
  overdue: {
    begin: (store) => recordAs(store, order, due(START - HOUR)),
    end: close,
    about: 'warehouse 9104',
    text: 'Overdue orders and records of warehouse 9104: 1',
    url: '/board/subjects?due=overdue&sort=due&tenant=9104',
    because: /the first was due 2026-02-11 11:00 UTC/,
  },
  'at-risk': {
    begin: (store) => recordAs(store, order, due(START + HOUR)),
    end: close,
    about: 'warehouse 9104',
    text: 'Orders and records of warehouse 9104 that are due soon: 1',
    url: '/board/subjects?due=atRisk&sort=due&tenant=9104',
    because: /the first is due 2026-02-11 13:00 UTC/,
  },
  'reconciliation-failing': {
    begin: (_store, machine) => Object.assign(machine, { sweeps: sweeps(START - 4 * HOUR, 0) }),
    end: (_store, machine) => Object.assign(machine, { sweeps: sweeps(START, 0) }),
    about: 'warehouse 9104',
    text: 'Reconciliation of warehouse 9104 does not succeed',
    isOfMachine: true,
    url: '/board/system',
  },
  'reconciliation-differences': {
    begin: (_store, machine) => Object.assign(machine, { sweeps: sweeps(START, 3) }),
    end: (_store, machine) => Object.assign(machine, { sweeps: sweeps(START, 0) }),
    about: 'warehouse 9104',
    text: 'Reconciliation of warehouse 9104 found what no webhook had reported: 3',
    isOfMachine: true,
    url: '/board/system',
  },
  'disk-nearly-full': {
    begin: (_store, machine) => Object.assign(machine, { freeBytes: async () => 2 ** 29 }),
    end: (_store, machine) => Object.assign(machine, { freeBytes: async () => 2 ** 31 }),
    about: '',
    text: 'The disk of the store is nearly full',
    isOfMachine: true,
    url: '/board/system',
    because: /512 MiB are free/,
  },
  'temporal-away': {
    begin: (_store, machine) => Object.assign(machine, { findAway: () => ({ part: 'Temporal', since: START }) }),
    end: (_store, machine) => Object.assign(machine, { findAway: () => undefined }),
    about: 'Temporal does',
    text: 'Temporal does not answer',
    isOfMachine: true,
    url: '/board/system',
  },
};

describeOnEither('a condition', (database) => {
  it.each(Object.entries(cases))(
    'is told once it has held, and again once it is over: %s',
    async (condition, given) => {
      const clock = { now: START };
      const store = await openIn(database, { now: () => clock.now });
      const { url, received } = await openReceiver();
      const account = await openReceiver();
      const elsewhere = await openReceiver();
      const channels = [
        webhookTo('ops', url),
        webhookTo('account', account.url, 'tenants: ["9104"]'),
        webhookTo('elsewhere', elsewhere.url, 'tenants: ["9105"]', 'customers: ["418"]'),
      ];
      const machine = { ...soundMachine };
      const { round } = openWatch(store, channels, {
        findAway: () => machine.findAway(),
        freeBytes: () => machine.freeBytes(),
        sweeps: () => machine.sweeps(),
      });
      /** Lets time pass, and looks as often as the loop does, as far as it matters. */
      const pass = async (minutes: number) => {
        for (let minute = 0; minute < minutes; minute += 1) {
          clock.now += MINUTE;
          await round();
        }
      };
      await pass(2);
      await given.begin(store, machine);
      await round();
      expect(received, 'it has not held yet').toEqual([]);
      await pass(13);
      expect(received.flatMap(({ body }) => body.alerts)).toEqual([
        expect.objectContaining({
          condition,
          about: given.about,
          change: 'opened',
          url: `https://board.test${given.url}`,
        }),
      ]);
      expect(received[0]?.body).toMatchObject({ title: given.text });
      if (given.because) expect(received[0]?.body.alerts[0].because).toMatch(given.because);

      await given.end(store, machine);
      await pass(4);
      expect(received.length, 'it may come back').toBe(1);
      await pass(3);
      expect(received.slice(1).flatMap(({ body }) => body.alerts)).toEqual([
        expect.objectContaining({ condition, about: given.about, change: 'over' }),
      ]);
      expect(received[1]?.body.title).toMatch(/^All clear: /);
      const toldOf = account.received.flatMap(({ body }) =>
        body.alerts.map((it: { condition: string }) => it.condition),
      );
      expect(toldOf).toEqual(given.isOfMachine ? [] : [condition, condition]);
      expect(elsewhere.received).toEqual([]);
      expect(await store.alerts.all()).toEqual([]);
    },
  );
});
