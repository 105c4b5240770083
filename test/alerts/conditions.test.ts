import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { createAdminClient } from '../../src/cli/admin/client.ts';
import { createAdminCommand } from '../../src/cli/admin/commands.ts';
import { createRedelivery } from '../../src/destinations/tables/redelivery.ts';
import { type ConditionName, factsOf } from '../../src/domain/health/condition.ts';
import { nameOf } from '../../src/domain/health/incident.ts';
import type { Machine } from '../../src/health/sources.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import { createIncidentGauges } from '../../src/observability/metrics/stored.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { openTestHealth, soundMachine } from '../health/sound-machine.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import {
  announcementOf,
  deadlineAt,
  entryOf,
  lifecycleAt,
  order,
  orderOf,
  quarantinedEntry,
  reached,
  toDefault,
} from '../support/make.ts';
import { openWatch, webhookTo } from './open-watch.ts';
import { openReceiver } from './receiver.ts';

interface Row {
  readonly name: string;
}

/** Reads the incidents in every place that shows them: their names, their ids on the first page, and the output of the command. */
async function readPlaces(store: Store, machine: Machine) {
  const health = openTestHealth(store, machine);
  const { url, get } = await openAdmin({ store, health });
  const page = await (await fetch(`${url}/board`)).text();
  const output = new PassThrough();
  const admin = createAdminCommand(
    createAdminClient(() => ({ url, token: undefined })),
    output,
  );
  await admin.parseAsync(['status'], { from: 'user' });
  output.end();
  const metrics = createMetrics();
  await createIncidentGauges(metrics, health.whole.open, store.now)();
  const series = (await metrics.registry.metrics()).matchAll(
    /^dockline_incident\{condition="([^"]*)",place="([^"]*)"\}/gm,
  );
  const namesOf = async (path: string) => (await get(path)).body.incidents.map(({ name }: Row) => name);
  return {
    board: [...page.matchAll(/<li class="card incident[^"]*" id="incident-([^"]*)"/g)].map(([, id]) => id),
    status: await namesOf('/status'),
    health: await namesOf('/health'),
    command: await text(output),
    metric: [...series].map(([, condition, place]) => `${condition}@${place}`),
  };
}

const START = Date.UTC(2026, 1, 11, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const hub = { tenant: '9104', id: 'hub', name: 'hub' };

type Change = (store: Store, machine: Machine) => unknown;

/** Condition that begins and ends, with what is told of it. */
interface Case {
  readonly begin: Change;
  readonly end: Change;
  readonly place: string;
  readonly text: string | RegExp;
  readonly url: string;
  /** End of what is told once it is over. */
  readonly over: string;
  /** It concerns the machine, and no account. */
  readonly isOfMachine?: true;
}

const failing =
  (
    ids: readonly string[],
    status: number,
    code: 'ERR_WAREHOUSE_UNAUTHENTICATED' | 'ERR_WAREHOUSE_FAILED' | 'ERR_WAREHOUSE_RATE_LIMITED',
  ) =>
  async (store: Store) => {
    for (const id of ids) {
      const error = `GET /orders/${id} answered ${status}`;
      const trouble = { operation: 'getOrder', error, code, status, nextTryAt: store.now() };
      await store.activityFailures.note(orderOf(id), 'retrieving', trouble);
    }
  };

const answered = (store: Store, operation: 'getOrder' | 'getUser', status: number | 'ok', at = store.now()) => {
  const code = status === 403 ? 'ERR_WAREHOUSE_FORBIDDEN' : null;
  const row = { tenant: '9104', operation, outcome: String(status), code, firstAt: at, lastAt: at } as const;
  return store.warehouseAnswers.add([row]);
};

const retrieved = async (store: Store) => {
  const rows = await store.db
    .selectFrom('subjects')
    .select('subject_id')
    .where('retrieving_at', 'is not', null)
    .execute();
  for (const { subject_id: id } of rows) await store.activityFailures.end(orderOf(id), 'retrieving');
};

const due = (dueAt: number) => ({
  deadline: deadlineAt(dueAt),
  customerId: '418',
  facts: { customerName: 'Cobalt' },
});

const close = (store: Store) =>
  recordAs(store, order, {
    ...due(START),
    lifecycle: lifecycleAt(2, { registers: reached('confirmed') }),
  });

const sweeps = (succeededAt: number, differences: number) => async () => ({
  last: [{ tenant: '9104', succeededAt, differences }],
  everyMs: HOUR,
  at: START,
});

/** Changes the machine. */
const set =
  (changed: Partial<Machine>): Change =>
  (_store, machine) =>
    Object.assign(machine, changed);

/** Records announcements of orders, which the destination rejects. */
const rejected = (ids: readonly string[]) => async (store: Store) => {
  for (const id of ids) {
    const subject = orderOf(id);
    const announcement = announcementOf(1, subject);
    await recordAs(store, subject, { announcements: [announcement] });
    await store.outbox.lease(toDefault(announcement.id), 1);
    const exchange = {
      outcome: 'refused',
      status: 422,
      ms: 1,
      error: 'POST answered 422',
      exchange: undefined,
    } as const;
    await store.outbox.failed({ ...toDefault(announcement.id), leasedUntil: null } as never, exchange);
  }
};

const sent = async ({ db, now }: Store) => {
  await db.updateTable('outbox').set({ sent_at: now() }).execute();
};

const cases: Readonly<Record<Exclude<ConditionName, 'store-away'>, Case>> = {
  'warehouse-failing': {
    begin: failing(['1', '2'], 503, 'ERR_WAREHOUSE_FAILED'),
    end: retrieved,
    place: '9104',
    text: 'Warehouse 9104: 503 to all GETs',
    url: '/board/subjects?attention=failing&tenant=9104',
    over: 'warehouse 9104 answers again, 2 records retrieved',
  },
  'credential-refused': {
    begin: failing(['1'], 401, 'ERR_WAREHOUSE_UNAUTHENTICATED'),
    end: retrieved,
    place: '9104',
    text: 'Warehouse 9104 refuses the credential',
    url: '/board/subjects?attention=failing&tenant=9104',
    over: 'warehouse 9104 accepts the credential again, 1 record retrieved',
  },
  'warehouse-limiting': {
    begin: failing(['1'], 429, 'ERR_WAREHOUSE_RATE_LIMITED'),
    end: retrieved,
    place: '9104',
    text: 'Warehouse 9104 limits GETs (429)',
    url: '/board/subjects?attention=failing&tenant=9104',
    over: 'warehouse 9104 answers GETs again, 1 record retrieved',
  },
  'warehouse-partly-failing': {
    async begin(store) {
      await failing(['1', '2', '3', '4', '5'], 500, 'ERR_WAREHOUSE_FAILED')(store);
      await answered(store, 'getOrder', 'ok', store.now() + MINUTE);
      await store.db
        .updateTable('subjects')
        .set({ retrieving_at: store.now() + 2 * MINUTE })
        .execute();
    },
    end: retrieved,
    place: '9104/getOrder/500',
    text: 'Warehouse 9104: 500 to some GETs of orders',
    url: '/board/subjects?attention=failing&tenant=9104',
    over: 'warehouse 9104 returns these orders again, 5 records retrieved',
  },
  'role-missing': {
    begin: (store) => answered(store, 'getUser', 403),
    end: (store) => answered(store, 'getUser', 'ok'),
    place: '9104/getUser',
    text: 'The credential of warehouse 9104 may not read users: no role allows “Get User”',
    url: '/board/subjects?attention=refused',
    over: 'the credential of warehouse 9104 may read users',
  },
  'record-failing': {
    begin: failing(['7'], 500, 'ERR_WAREHOUSE_FAILED'),
    end: retrieved,
    place: 'order:9104:7',
    text: 'The warehouse cannot return order 7 (500)',
    url: '/board/subjects/9104/order/7',
    over: 'the warehouse returns order 7 again',
  },
  'destination-failing': {
    begin: ({ destinations }) => destinations.failed(hub, 'POST answered 503'),
    end: ({ destinations }) => destinations.succeeded(hub),
    place: '9104/hub',
    text: 'Destination hub of warehouse 9104: no answer to all announcements',
    url: '/board/destinations/9104/hub',
    over: 'destination hub of warehouse 9104 accepts announcements again',
  },
  'destination-partly-failing': {
    begin: rejected(['1', '2', '3', '4', '5']),
    end: sent,
    place: '9104/default',
    text: 'Destination default of warehouse 9104: 422 to some announcements',
    url: '/board/destinations/9104/default',
    over: 'destination default of warehouse 9104 accepts these announcements, 5 announcements delivered',
  },
  'announcement-failing': {
    begin: rejected(['1']),
    end: sent,
    place: 'order:9104:1/1/updated@default',
    text: 'Destination default of warehouse 9104 rejects an announcement of order 1 (422)',
    url: '/board/announcements/order%3A9104%3A1/1/updated',
    over: 'destination default of warehouse 9104 has accepted an announcement of order 1',
  },
  'destination-stopped': {
    begin: ({ destinations }) => destinations.pause(hub, 'it answered 410', 'dockline'),
    end: ({ destinations }) => destinations.resume(hub),
    place: '9104/hub',
    text: 'Dockline has stopped sending to destination hub of warehouse 9104',
    url: '/board/destinations/9104/hub',
    over: 'Dockline sends to destination hub of warehouse 9104 again',
  },
  quarantine: {
    begin: ({ inbox }) => inbox.add([quarantinedEntry('q1'), quarantinedEntry('q2')]),
    end: ({ db }) => db.deleteFrom('inbox').execute(),
    place: 'event/order',
    text: '2 webhooks have unknown names',
    url: '/board/event-names',
    over: 'no webhook is in quarantine for this reason',
  },
  'dead-letters': {
    async begin(store) {
      await recordAs(store, order, { announcements: [announcementOf(1)] });
      await store.outbox.deadLetter(toDefault(announcementOf(1).id), 'answered 410');
    },
    end: (store) => createRedelivery(store).requeue([announcementOf(1).id]),
    place: '',
    text: '1 announcement was given up',
    url: '/board/dead-letters',
    over: 'no announcement that was given up is left',
  },
  stalled: {
    begin: (store) =>
      recordAs(store, order, {
        stageSince: START,
        lifecycle: lifecycleAt(1, { registers: reached('stalled') }),
      }),
    end: (store) => recordAs(store, order, { lifecycle: lifecycleAt(2) }),
    place: '9104',
    text: '1 order of warehouse 9104 is in its stage for too long',
    url: '/board/subjects?attention=stalled&tenant=9104',
    over: 'no order of warehouse 9104 is in its stage for too long',
  },
  overdue: {
    begin: (store) => recordAs(store, order, due(START)),
    end: close,
    place: '9104',
    text: '1 order of warehouse 9104 is overdue (Cobalt 1)',
    url: '/board/subjects?due=overdue&tenant=9104',
    over: 'no order of warehouse 9104 is overdue',
  },
  'at-risk': {
    begin: (store) => recordAs(store, order, due(START + HOUR)),
    end: close,
    place: '9104',
    text: "1 order of warehouse 9104 may miss today's 1:00 PM UTC truck (Cobalt 1)",
    url: '/board/subjects?due=atRisk&tenant=9104',
    over: 'no order of warehouse 9104 is at risk',
  },
  'webhooks-stopped': {
    async begin(store) {
      const { db, now } = store;
      await store.inbox.add([{ ...entryOf('1', now() - 2 * HOUR), tenant: '9104' }]);
      await db.updateTable('inbox').set({ observed_at: now() }).execute();
      for (let day = 1; day <= 7; day += 1) {
        const subject = orderOf(String(day));
        await recordAs(store, subject, { announcements: [{ ...announcementOf(1, subject), destinations: [] }] });
        await db
          .updateTable('announcements')
          .set({ created_at: now() - day * DAY - 10 * MINUTE })
          .where('subject_id', '=', subject.id)
          .execute();
      }
    },
    async end(store) {
      await store.inbox.add([{ ...entryOf('1', store.now()), tenant: '9104' }]);
      await store.db.updateTable('inbox').set({ observed_at: store.now() }).execute();
    },
    isOfMachine: true,
    place: '9104',
    text: /^No webhook of warehouse 9104 has come since 10:02 AM/,
    url: '/board/webhooks',
    over: 'webhooks of warehouse 9104 come again',
  },
  'reconciliation-failing': {
    begin: set({ sweeps: sweeps(START - 4 * HOUR, 0) }),
    end: set({ sweeps: sweeps(START, 0) }),
    isOfMachine: true,
    place: '9104',
    text: 'Reconciliation of warehouse 9104 has not succeeded since 8:00 AM UTC',
    url: '/board/system',
    over: 'reconciliation of warehouse 9104 succeeds again',
  },
  'reconciliation-differences': {
    begin: set({ sweeps: sweeps(START, 3) }),
    end: set({ sweeps: sweeps(START, 0) }),
    isOfMachine: true,
    place: '9104',
    text: 'Reconciliation of warehouse 9104 found 3 changes that no webhook had reported',
    url: '/board/system',
    over: 'reconciliation of warehouse 9104 finds no differences',
  },
  'listing-limited': {
    begin: ({ pageLimits }) => pageLimits.note({ tenant: '9104', kind: 'order' }, 'GET /orders answered 403'),
    end: ({ pageLimits }) => pageLimits.end({ tenant: '9104', kind: 'order' }),
    place: '9104/order',
    text: 'Warehouse 9104 does not list several orders at once, so that each takes a GET of its own',
    url: '/board/system',
    over: 'warehouse 9104 lists several orders at once',
  },
  'key-unavailable': {
    begin: set({
      missingKeys: async () => [
        { endpoint: 'warehouse', tenant: '9104', error: 'answered 503', since: START, at: START },
      ],
    }),
    end: set({ missingKeys: async () => [] }),
    isOfMachine: true,
    place: 'warehouse',
    text: 'The key that verifies webhooks to /webhooks/warehouse cannot be fetched',
    url: '/board/system',
    over: 'the key that verifies webhooks to /webhooks/warehouse can be fetched',
  },
  'search-attributes-missing': {
    begin: set({ lackingAttributes: async () => [{ name: 'Stage', because: 'cannot have more than 10' }] }),
    end: set({ lackingAttributes: async () => [] }),
    isOfMachine: true,
    place: '',
    text: 'Temporal lacks the search attributes Stage',
    url: '/board/system',
    over: 'Temporal has all search attributes',
  },
  'disk-nearly-full': {
    begin: set({ freeBytes: async () => 2 ** 29 }),
    end: set({ freeBytes: async () => 2 ** 31 }),
    isOfMachine: true,
    place: '',
    text: 'The disk of the store is nearly full',
    url: '/board/system',
    over: 'the disk of the store has space again',
  },
  'temporal-away': {
    begin: set({ findAway: async () => ({ part: 'Temporal', since: START }) }),
    end: set({ findAway: async () => undefined }),
    isOfMachine: true,
    place: '',
    text: 'Temporal does not answer',
    url: '/board/system',
    over: 'Temporal answers again',
  },
  'queue-unpolled': {
    begin: set({ findAway: async () => ({ part: 'workers', queue: 'dockline', since: START }) }),
    end: set({ findAway: async () => undefined }),
    isOfMachine: true,
    place: '',
    text: 'No worker is running for the task queue dockline',
    url: '/board/system',
    over: 'every task queue is polled again',
  },
  stuck: {
    begin: ({ inbox, now }) => inbox.add([entryOf('1', now() - 10 * MINUTE)]),
    end: ({ db }) => db.deleteFrom('inbox').execute(),
    place: '',
    text: 'Webhooks wait for more than five minutes, though nothing fails',
    url: '/board/webhooks?state=waiting',
    over: 'no webhook waits for more than five minutes, 1 webhook recorded',
  },
  unjudged: {
    begin: set({
      async freeBytes() {
        throw new Error('the disk does not answer');
      },
    }),
    end: set({ freeBytes: soundMachine.freeBytes }),
    isOfMachine: true,
    place: 'disk-nearly-full',
    text: 'Nobody knows whether this holds: The disk is nearly full',
    url: '/board/system',
    over: 'it can be judged again whether this holds: The disk is nearly full',
  },
};

describeOnEither('a condition', (database) => {
  it.each(Object.entries(cases))(
    'is told once it has held, and again once it is over: %s',
    async (condition, given) => {
      const clock = { now: START };
      const store = await openIn(database, { now: () => clock.now });
      await store.destinations.add(hub, { id: hub.id, settings: '{}', sealed: Buffer.from('sealed') });
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
        missingKeys: () => machine.missingKeys(),
        lackingAttributes: () => machine.lackingAttributes(),
      });
      /** Lets time pass, with a round after each of the spans. How often people are told is what `watch.test.ts` is about. */
      const pass = async (...spans: readonly number[]) => {
        for (const minutes of spans) {
          clock.now += minutes * MINUTE;
          await round();
        }
      };
      await pass(2);
      await given.begin(store, machine);
      await pass(1, 1);
      expect(received.flatMap(({ body }) => body.alerts)).toEqual([
        expect.objectContaining({
          condition,
          place: given.place,
          change: 'opened',
          url: `https://board.test${given.url}`,
        }),
      ]);
      expect(received[0]?.body.title).toEqual(
        typeof given.text === 'string' ? given.text : expect.stringMatching(given.text),
      );

      const name = nameOf({ condition: condition as ConditionName, place: given.place });
      const { command, ...shown } = await readPlaces(store, machine);
      const { isOfOne } = factsOf(condition as ConditionName);
      expect(shown).toEqual({
        board: [name.replaceAll(/[^\w-]+/g, '-')],
        status: [name],
        health: [name],
        // A metric names no subject.
        metric: [`${condition}@${isOfOne ? '9104' : given.place}`],
      });
      expect(command).toContain(received[0]?.body.title);

      await given.end(store, machine);
      const after = await readPlaces(store, machine);
      expect(after).toMatchObject({ board: [], status: [], health: [], metric: [] });
      expect(after.command).not.toContain(received[0]?.body.title);
      await pass(1, 3, 3);
      expect(received.slice(1).flatMap(({ body }) => body.alerts)).toEqual([
        expect.objectContaining({ condition, place: given.place, change: 'over' }),
      ]);
      expect(received[1]?.body.title).toMatch(/^Resolved after [\d a-z]+: /);
      expect(received[1]?.body.title.replace(/^Resolved after [\d a-z]+: /, '')).toBe(given.over);
      const toldOf = account.received.flatMap(({ body }) =>
        body.alerts.map((it: { condition: string }) => it.condition),
      );
      expect(toldOf).toEqual(given.isOfMachine ? [] : [condition, condition]);
      expect(elsewhere.received).toEqual([]);
      expect(await store.alerts.all()).toEqual([]);
    },
  );
});
