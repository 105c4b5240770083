import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import type { Machine } from '../../src/health/sources.ts';
import { createTemporalReading } from '../../src/temporal/pollers.ts';
import { soundMachine } from '../health/sound-machine.ts';
import { configure } from '../store/configured.ts';
import { describeOnSqlite, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { announcementOf, orderOf } from '../support/make.ts';
import { openWatch, webhookTo } from './open-watch.ts';
import { openReceiver } from './receiver.ts';

const START = Date.UTC(2026, 1, 11, 12);

/** World of a story, in which a warehouse and receivers are up or down. */
interface World {
  readonly store: Store;
  readonly machine: Machine;
  /** Names of the destinations in the configuration. */
  /** Part of Temporal that its answers say is away. */
  away: 'Temporal' | 'workers' | undefined;
  /** Starts the process that tells again, with the configuration of then. */
  restart(): void;
}

type Step = (world: World) => unknown;

/** What happens at which seconds, until when it is watched, and the exact list of what people are told: seconds and texts. */
interface Story {
  readonly at: Readonly<Record<number, Step>>;
  readonly until: number;
  readonly notified: readonly string[];
}

const asked = (...ids: readonly number[]) => ids.map(String);

const fails =
  (
    ids: readonly string[],
    status = 503,
    code: 'ERR_WAREHOUSE_FAILED' | 'ERR_WAREHOUSE_UNAUTHENTICATED' = 'ERR_WAREHOUSE_FAILED',
  ): Step =>
  async ({ store }) => {
    for (const id of ids) {
      const error = `GET /orders/${id} answered ${status}`;
      const failure = {
        operation: 'getOrder',
        error,
        status,
        code,
        nextTryAt: store.now(),
      } as const;
      await store.activityFailures.note(orderOf(id), 'retrieving', failure);
    }
  };

const answers =
  (ids: readonly string[] = []): Step =>
  async ({ store }) => {
    const at = store.now();
    const ok = { tenant: '9104', operation: 'getOrder', outcome: 'ok', code: null, firstAt: at, lastAt: at } as const;
    await store.warehouseAnswers.add([ok]);
    for (const id of ids) await store.activityFailures.end(orderOf(id), 'retrieving');
  };

const all =
  (...steps: readonly Step[]): Step =>
  async (world) => {
    for (const step of steps) await step(world);
  };

/** Redelivery a step from one second to another. */
const every = (seconds: number, from: number, to: number, step: Step): Readonly<Record<number, Step>> =>
  Object.fromEntries(
    Array.from({ length: Math.floor((to - from) / seconds) + 1 }, (_, index) => [from + index * seconds, step]),
  );

const ref = (name: string) => ({ tenant: '9104', id: name, name });

const adds =
  (name: string): Step =>
  async ({ store }) => {
    await store.destinations.add(ref(name), { id: name, settings: '{}', sealed: Buffer.from('sealed') });
  };

/** A receiver answers each of some announcements, which are recorded first. */
const receives =
  (name: string, ids: readonly string[], status: number): Step =>
  async ({ store }) => {
    for (const id of ids) {
      const announcement = announcementOf(1, orderOf(id));
      const outgoing = { id: announcement.id, destination: name };
      const known = await store.db
        .selectFrom('outbox')
        .select('announcement')
        .where('announcement', '=', outgoing.id)
        .where('destination', '=', name)
        .executeTakeFirst();
      if (!known) await recordAs(store, orderOf(id), { announcements: [{ ...announcement, destinations: [name] }] });
      const exchange = { requestHeaders: {}, status, answer: Buffer.from('') };
      if (status < 300) {
        await store.outbox.sent(outgoing, { status, ms: 1, exchange });
        await store.destinations.succeeded(ref(name));
      } else {
        const lease = { ...outgoing, previous: null, isReplay: false, leasedUntil: null };
        await store.outbox.failed(lease, {
          outcome: status === 422 ? 'refused' : 'failed',
          status,
          ms: 1,
          error: `POST answered ${status}`,
          exchange,
        });
        if (status === 422) await store.destinations.succeeded(ref(name));
        else await store.destinations.failed(ref(name), `POST answered ${status}`);
      }
    }
  };

const goes =
  (away: World['away']): Step =>
  (world) => {
    world.away = away;
  };

const sets =
  (changed: Partial<Machine>): Step =>
  ({ machine }) =>
    Object.assign(machine, changed);

const keyMissing = (since: number, at: number) => ({
  missingKeys: async () => [
    {
      endpoint: 'warehouse',
      tenant: '9104',
      error: 'answered 503',
      since: START + since * 1000,
      at: START + at * 1000,
    },
  ],
});

const many = Array.from({ length: 130 }, (_, index) => `hub-${100 + index}`);

const stories: Readonly<Record<string, Story>> = {
  'a start, while the workers take 80 s until they poll': {
    at: { 0: goes('workers'), 80: goes(undefined) },
    until: 600,
    notified: [],
  },
  'a stop: the workers leave and the process ends a minute later': {
    at: { 300: goes('workers') },
    until: 360,
    notified: [],
  },
  'Temporal away and back, whose workers poll a while later': {
    at: { 0: goes('Temporal'), 200: goes('workers'), 260: goes(undefined) },
    until: 900,
    notified: ['60 opened: Temporal does not answer', '510 over: Resolved after 3 min: Temporal answers again'],
  },
  'an outage of the warehouse that was over before the start': {
    at: { '-600': fails(asked(1, 2)), '-300': answers(asked(1)), '-1': answers(asked(2)) },
    until: 600,
    notified: [],
  },
  'an outage of the warehouse and its recovery, with a key that is asked for late': {
    at: {
      0: all(fails(asked(1, 2, 3)), sets(keyMissing(0, 0))),
      ...every(
        30,
        30,
        390,
        all(fails(asked(1, 2, 3)), ({ machine, store }) =>
          Object.assign(machine, keyMissing(0, (store.now() - START) / 1000)),
        ),
      ),
      400: answers(asked(1)),
      410: answers(asked(2, 3)),
      500: sets({ missingKeys: async () => [] }),
    },
    until: 1200,
    notified: [
      '60 opened: Warehouse 9104: 503 to all GETs',
      '705 over: Resolved after 6 min: warehouse 9104 answers again, 3 records retrieved',
    ],
  },
  'a key that cannot be fetched though the warehouse answers': {
    at: {
      ...every(
        30,
        0,
        600,
        all(answers(), ({ machine, store }) => Object.assign(machine, keyMissing(0, (store.now() - START) / 1000))),
      ),
    },
    until: 600,
    notified: ['60 opened: The key that verifies webhooks to /webhooks/warehouse cannot be fetched'],
  },
  'an outage of a receiver and its recovery, in which what waits is tried late': {
    at: {
      0: receives('hub', asked(9), 200),
      10: receives('hub', asked(1, 2, 3, 4, 5, 6), 503),
      ...every(60, 60, 360, receives('hub', asked(1, 2), 503)),
      400: receives('hub', asked(1), 200),
      700: receives('hub', asked(2, 3, 4, 5, 6), 200),
    },
    until: 1300,
    notified: [
      '75 opened: Destination hub of warehouse 9104: 503 to all announcements',
      '705 over: Resolved after 6 min: destination hub of warehouse 9104 accepts announcements again, 6 announcements delivered',
    ],
  },
  'an announcement that is rejected while others are accepted': {
    at: {
      0: receives('hub', asked(1), 422),
      ...every(60, 30, 270, receives('hub', asked(7), 200)),
      ...every(60, 60, 240, receives('hub', asked(1), 422)),
      300: receives('hub', asked(1), 200),
    },
    until: 900,
    notified: [
      '60 opened: Destination hub of warehouse 9104 rejects an announcement of order 1 (422)',
      '600 over: Resolved after 5 min: destination hub of warehouse 9104 has accepted an announcement of order 1',
    ],
  },
  'a failing receiver that is removed': {
    at: {
      0: all(adds('shop'), receives('shop', asked(1, 2), 503)),
      400: ({ store }) => store.destinations.remove(ref('shop')),
    },
    until: 1000,
    notified: [
      '60 opened: Destination shop of warehouse 9104: 503 to all announcements',
      '705 over: Resolved after 6 min: destination shop of warehouse 9104 was removed',
    ],
  },
  'a failing receiver that is renamed and recovers': {
    at: {
      0: all(adds('shop'), receives('shop', asked(1, 2), 503)),
      400: ({ store }) => store.destinations.rename(ref('shop'), 'store'),
      600: receives('shop', asked(1, 2), 200),
    },
    until: 1200,
    notified: [
      '60 opened: Destination shop of warehouse 9104: 503 to all announcements',
      '900 over: Resolved after 10 min: destination store of warehouse 9104 accepts announcements again, 2 announcements delivered',
    ],
  },
  'a failing receiver that is taken out of the configuration': {
    at: {
      0: receives('hub', asked(1, 2), 503),
      400: async ({ store, restart }) => {
        await configure(store);
        restart();
      },
    },
    until: 1000,
    notified: [
      '60 opened: Destination hub of warehouse 9104: 503 to all announcements',
      '705 over: Resolved after 6 min: destination hub of warehouse 9104 was removed',
    ],
  },
  'a failing receiver that is paused by hand': {
    at: {
      0: receives('hub', asked(1, 2), 503),
      400: ({ store }) => store.destinations.pause(ref('hub'), 'they owe us', 'person'),
    },
    until: 1000,
    notified: [
      '60 opened: Destination hub of warehouse 9104: 503 to all announcements',
      '705 over: Resolved after 6 min: nothing more is sent to destination hub of warehouse 9104: they owe us',
    ],
  },
  'a warehouse that is down for 25 s and up for 8 s, five times': {
    at: {
      ...every(33, 0, 132, fails(asked(1, 2, 3, 4))),
      ...every(33, 12, 144, fails(asked(1, 2, 3, 4))),
      ...every(33, 27, 159, answers()),
      165: answers(asked(1, 2, 3, 4)),
    },
    until: 800,
    notified: [
      '60 opened: Warehouse 9104: 503 to some GETs of orders',
      '465 over: Resolved after 2 min: warehouse 9104 returns these orders again, 4 records retrieved',
    ],
  },
  'a record of its own in an outage of all': {
    at: {
      0: fails(asked(7), 500),
      ...every(30, 15, 405, fails(asked(7), 500)),
      ...every(30, 20, 410, fails(asked(1, 2))),
      420: answers(asked(1, 2)),
      430: answers(asked(7)),
    },
    until: 1200,
    notified: [
      '60 opened: The warehouse cannot return order 7 (500)',
      '90 opened: Warehouse 9104: 503 to all GETs',
      '720 over: Resolved after 6 min: warehouse 9104 answers again, 3 records retrieved',
      '720 over: Resolved after 7 min: the warehouse returns order 7 again',
    ],
  },
  'a restart in the middle of an outage': {
    at: {
      0: receives('hub', asked(1, 2), 503),
      200: ({ restart }) => restart(),
      400: receives('hub', asked(1, 2), 200),
    },
    until: 1000,
    notified: [
      '60 opened: Destination hub of warehouse 9104: 503 to all announcements',
      '705 over: Resolved after 6 min: destination hub of warehouse 9104 accepts announcements again, 2 announcements delivered',
    ],
  },
  'a warehouse that is down and then refuses the credential': {
    at: {
      ...every(30, 0, 180, fails(asked(1, 2))),
      ...every(30, 210, 390, fails(asked(1, 2), 401, 'ERR_WAREHOUSE_UNAUTHENTICATED')),
      400: answers(asked(1, 2)),
    },
    until: 1000,
    notified: [
      '60 opened: Warehouse 9104: 503 to all GETs',
      '210 changed: Changed: Warehouse 9104 refuses the credential',
      '705 over: Resolved after 6 min: warehouse 9104 accepts the credential again, 2 records retrieved',
    ],
  },
  '130 receivers that fail, of which some change and one recovers': {
    at: {
      0: async ({ store }) => {
        const row = {
          tenant: '9104',
          settings: '{}',
          sealed: Buffer.from(''),
          updated_at: START,
          failing_since: START,
          last_error: '503',
        };
        await store.db
          .insertInto('destinations')
          .values(many.map((name) => ({ ...row, id: name, name })))
          .execute();
      },
      ...every(30, 100, 400, async ({ store }) => {
        for (const name of many.slice(0, 60)) await store.destinations.failed(ref(name), `503 at ${store.now()}`);
      }),
      500: ({ store }) => store.destinations.succeeded(ref('hub-105')),
    },
    until: 1000,
    notified: [
      ...many
        .slice(0, 20)
        .map((name) => `60 opened: Destination ${name} of warehouse 9104: no answer to all announcements`),
      '60 and 110 more',
      '810 over: Resolved after 8 min: destination hub-105 of warehouse 9104 accepts announcements again',
    ],
  },
  'one failure amid successes': {
    at: { 0: receives('hub', asked(1), 503), 5: receives('hub', asked(2), 200), 20: receives('hub', asked(1), 200) },
    until: 600,
    notified: [],
  },
};

/** Reads what was told: at which second, and each line of it. */
describeOnSqlite('a story', (database) => {
  it.each(Object.entries(stories))('%s', async (_, { at, until, notified }) => {
    const clock = { now: START - 3_600_000 };
    const store = await openIn(database, { now: () => clock.now });
    await configure(store, { default: {}, hub: {} });
    const { url, received } = await openReceiver();
    const machine = { ...soundMachine };
    let watch: ReturnType<typeof openWatch> | undefined;
    const world: World = {
      store,
      machine,
      away: undefined,
      restart() {
        const outside = {
          findAway: begin(),
          sweeps: () => machine.sweeps(),
          missingKeys: () => machine.missingKeys(),
        };
        watch = openWatch(store, [webhookTo('ops', url)], outside);
      },
    };
    const begin = () =>
      createTemporalReading({
        read: async () => world.away && { part: world.away, ...(world.away === 'workers' && { queue: 'dockline' }) },
        now: () => clock.now,
        monotonicNow: () => clock.now,
      });
    const steps = Object.entries(at)
      .map(([second, step]) => ({ second: Number(second), step }))
      .sort((a, b) => a.second - b.second);
    const due = async (second: number) => {
      for (let next = steps[0]; next && next.second <= second; next = steps[0]) {
        steps.shift();
        clock.now = START + next.second * 1000;
        await next.step(world);
      }
      clock.now = START + second * 1000;
    };
    await due(-1);
    clock.now = START;
    world.restart();
    const lines: string[] = [];
    for (let second = 0; second <= until; second += 15) {
      await due(second);
      await watch?.round();
      for (const { body } of received.splice(0))
        lines.push(
          ...body.alerts.map(
            (it: { readonly change: string; readonly text: string }) => `${second} ${it.change}: ${it.text}`,
          ),
          ...(body.more > 0 ? [`${second} and ${body.more} more`] : []),
        );
    }
    expect(lines).toEqual(notified);
  });
});
