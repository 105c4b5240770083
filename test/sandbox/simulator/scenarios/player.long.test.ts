import { describe, expect, it } from 'vitest';
import { orderScenarios } from '../../../../sandbox/simulator/scenarios/scenarios.ts';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import type { SubjectTruth } from '../../../../sandbox/simulator/state/book.ts';
import { everyEvent, get, openDeliveries, openReceiver, openSimulator } from '../open.ts';

const eventIdOf = (message: { tplId: number; wmsEventId: number }) => `${message.tplId}:${message.wmsEventId}`;

/** Returns what two runs of one seed must share: everything but the times. */
const withoutTimes = (truth: readonly SubjectTruth[]) =>
  truth.map(({ events, ...order }) => ({ ...order, events: events.map(({ time: _, ...event }) => event) }));

const eventIdsIn = (simulator: Simulator) => simulator.truth().flatMap(({ events }) => events.map(({ id }) => id));

/** Plays subjects whose events nobody receives. */
async function playedAlone(...[options, what]: Parameters<typeof played>) {
  const simulator = await openSimulator(options);
  await simulator.play(what);
  return { simulator, happened: eventIdsIn(simulator) };
}

/** Plays subjects to one receiver; `received` holds the event ids in order of arrival. */
async function played(
  options: Parameters<typeof openSimulator>[0],
  what: Parameters<Simulator['play']>[0],
  answer?: (index: number) => number | null,
) {
  const { simulator, received: requests } = await openDeliveries({
    ...options,
    answer,
    types: ['Order', 'Order Item'],
  });
  await simulator.play(what);
  const received = requests.map(({ message }) => eventIdOf(message));
  return { simulator, received, happened: eventIdsIn(simulator) };
}

describe('a scenario', () => {
  it.each([
    ['straight', 'confirmed', ['picked', 'packed', 'confirmed'], []],
    ['noPickOrPack', 'confirmed', ['confirmed'], ['picked', 'packed']],
    ['pickedIncomplete', 'confirmed', ['picked', 'picked', 'packed', 'confirmed'], []],
    ['excludedAndPickedLater', 'confirmed', ['excludedFromPickJob', 'picked', 'packed', 'confirmed'], []],
    ['reopened', 'confirmed', ['confirmed', 'unconfirmed', 'confirmed'], []],
    ['pickedByLine', 'confirmed', ['picked', 'packStarted', 'packed', 'confirmed'], ['itemUnpicked', 'itemUnpacked']],
    ['pickedAndPackedAgain', 'confirmed', ['itemUnpicked', 'picked', 'itemUnpacked', 'packed', 'confirmed'], []],
    ['canceledEarly', 'canceled', ['canceled'], ['picked', 'packed']],
    ['canceledLate', 'canceled', ['packed', 'canceled'], ['confirmed']],
    ['deleted', 'deleted', ['deleted'], ['confirmed']],
  ] as const)('named %s ends %s', async (scenario, stage, passed, never) => {
    const { simulator } = await playedAlone({}, { orders: 5, scenarios: [scenario] });
    expect(simulator.truth()).toHaveLength(5);
    for (const order of simulator.truth()) {
      const milestones = order.events.map(({ milestone }) => milestone);
      expect(order).toMatchObject({ scenario, stage, tenant: '9104' });
      expect(milestones[0]).toBe('created');
      expect(milestones.filter((milestone) => passed.some((wanted) => wanted === milestone))).toEqual(passed);
      expect(milestones.filter((milestone) => never.some((unwanted) => unwanted === milestone))).toEqual([]);
    }
  });

  it('is chosen by the seed among all scenarios', async () => {
    const { simulator } = await playedAlone({}, { orders: 80 });
    expect(new Set(simulator.truth().map(({ scenario }) => scenario))).toEqual(new Set(orderScenarios));
  });

  it('has events with distinct times and with unique, increasing ids', async () => {
    const { simulator, happened } = await playedAlone({}, { orders: 30 });
    expect(new Set(happened).size).toBe(happened.length);
    for (const { events } of simulator.truth()) {
      const times = events.map(({ time }) => time);
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      const ids = events.map(({ id }) => Number(id.replace('9104:', '')));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
  });
});

describe('a scenario of a receipt, adjustment or assembly', () => {
  const counts = { orders: 6, receipts: 20, adjustments: 20, assemblies: 20 };

  it('is chosen by the seed among all of its kind, and ends in the stage that it is named after', async () => {
    const { simulator } = await playedAlone({}, { ...counts, orders: 0 });
    const ends = simulator.truth().map(({ kind, scenario, stage }) => `${kind} ${scenario} ${stage}`);
    expect([...new Set(ends)].sort()).toEqual([
      'adjustment canceled canceled',
      'adjustment deleted deleted',
      'adjustment straight completed',
      'assembly canceled canceled',
      'assembly deleted deleted',
      'assembly straight completed',
      'receipt canceled canceled',
      'receipt deleted deleted',
      'receipt reopened confirmed',
      'receipt straight confirmed',
    ]);
  });

  it('has the milestones of its events', async () => {
    const { simulator } = await playedAlone({}, { ...counts, orders: 0 });
    for (const { kind, scenario, events } of simulator.truth()) {
      const milestones = events.map(({ milestone }) => milestone);
      const straight = kind === 'receipt' ? ['confirmed'] : [];
      const wanted = { straight, reopened: ['confirmed', 'unconfirmed', 'confirmed'] };
      const ending = scenario === 'straight' || scenario === 'reopened' ? wanted[scenario] : [scenario];
      expect(milestones[0]).toBe('created');
      expect(milestones.slice(1).filter((milestone) => !['updated', 'completed'].includes(milestone))).toEqual(ending);
      expect(events.every(({ name }) => name.toLowerCase().startsWith(kind))).toBe(true);
    }
  });

  it('does not affect the orders of the seed', async () => {
    const options = { seed: 7, rates: { duplicate: 0.2, reorder: 0.2, late: 0.1, drop: 0.1 } };
    const alone = await played(options, { orders: 6 });
    await alone.simulator.play({ orders: 6 });
    const beside = await played(options, counts);
    await beside.simulator.play({ orders: 6, receipts: 1 });
    const orders = beside.simulator.truth().filter(({ kind }) => kind === 'order');
    expect(withoutTimes(orders)).toEqual(withoutTimes(alone.simulator.truth()));
  });

  it('follows the orders in the truth, sorted by id, with ids that no other kind uses', async () => {
    const { simulator, happened } = await playedAlone({}, counts);
    const truth = simulator.truth();
    const kinds = [...new Set(truth.map(({ kind }) => kind))];
    expect(kinds).toEqual(['order', 'receipt', 'adjustment', 'assembly']);
    const ids = truth.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids).toHaveLength(66);
    expect(new Set(happened).size).toBe(happened.length);
  });

  it("is interleaved with the orders' and delivered like theirs", async () => {
    const { simulator, received } = await openDeliveries({
      rates: { duplicate: 1 },
      types: ['Order', 'Order Item', 'Receipt', 'Adjustment', 'Assembly'],
    });
    const progress: number[] = [];
    await simulator.play({
      orders: 2,
      receipts: 2,
      adjustments: 2,
      assemblies: 2,
      concurrency: 1,
      onProgress: (done) => progress.push(done),
    });
    const happened = simulator.truth().flatMap(({ events }) => events);
    expect(new Set(happened.map(({ fate }) => fate))).toEqual(new Set(['delivered']));
    expect(received).toHaveLength(2 * happened.length);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const begun = received.map(({ message }) => message.eventType).filter((name) => name.endsWith('Create'));
    expect(begun.filter((_, index) => index % 2 === 0)).toEqual(
      ['Order', 'Receipt', 'Adjustment', 'Assembly', 'Order', 'Receipt', 'Adjustment', 'Assembly'].map(
        (kind) => `${kind}Create`,
      ),
    );
  });
});

describe('a scenario of an item, of stock or of a hold', () => {
  const counts = { items: 30, stock: 25, holds: 20 };
  const ofKind = (simulator: Simulator, kind: string) => simulator.truth().filter((subject) => subject.kind === kind);

  it('is chosen by the seed among all of its kind, and ends in the stage that it is named after', async () => {
    const { simulator } = await playedAlone({}, counts);
    const endings = new Set(simulator.truth().map(({ kind, scenario, stage }) => `${kind} ${scenario} ${stage}`));
    expect([...endings].sort()).toEqual([
      'hold held onHold',
      'hold heldAgain onHold',
      'hold released released',
      'item deactivated deactivated',
      'item deleted deleted',
      'item kept created',
      'item reactivated created',
      'stock moved current',
    ]);
  });

  it('of stock has three to eight changes of one unique key', async () => {
    const { simulator } = await playedAlone({}, counts);
    const stock = ofKind(simulator, 'stock');
    expect(new Set(stock.map(({ id }) => id)).size).toBe(25);
    const lengths = stock.map(({ events }) => events.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8);
    expect(new Set(lengths).size).toBeGreaterThan(2);
  });

  it('follows the movements in the truth, kind by kind, and is the same at any concurrency', async () => {
    const all = { orders: 6, receipts: 20, adjustments: 20, assemblies: 20, ...counts };
    const one = await played({ seed: 7 }, { ...all, concurrency: 1 });
    const other = await played({ seed: 7, pace: 3 }, { ...all, concurrency: 141 });
    expect(withoutTimes(other.simulator.truth())).toEqual(withoutTimes(one.simulator.truth()));
    const kinds = [...new Set(one.simulator.truth().map(({ kind }) => kind))];
    expect(kinds).toEqual(['order', 'receipt', 'adjustment', 'assembly', 'item', 'stock', 'hold']);
    expect(new Set(one.happened).size).toBe(one.happened.length);
  });

  it('does not affect the scenarios of the other kinds', async () => {
    const alone = await playedAlone({}, { orders: 5, receipts: 5 });
    const beside = await playedAlone({}, { orders: 5, receipts: 5, ...counts });
    const others = beside.simulator.truth().filter(({ kind }) => kind === 'order' || kind === 'receipt');
    expect(withoutTimes(others).map(({ events: _, ...subject }) => subject)).toEqual(
      withoutTimes(alone.simulator.truth()).map(({ events: _, ...subject }) => subject),
    );
    expect(others.flatMap(({ events }) => events.map(({ id }) => id))).toEqual(alone.happened);
  });
});

describe('a scenario with events for each line', () => {
  it.each(['pickedByLine', 'pickedAndPackedAgain'] as const)(
    'named %s picks all of them before the job is done and packs them before the pack is complete',
    async (scenario) => {
      const { simulator } = await playedAlone({}, { orders: 12, scenarios: [scenario] });
      const counts = simulator.truth().map(({ id }) => simulator.orderItemIds(id).length);
      expect(new Set(counts)).toEqual(new Set([1, 2, 3]));
      for (const { id, events } of simulator.truth()) {
        const lines = simulator.orderItemIds(id);
        const places = (name: string, orderItemId?: string) =>
          events.flatMap((event, index) => (event.name === name && event.orderItemId === orderItemId ? [index] : []));
        const [done = -1] = places('OrderPickJobDone');
        const [started = -1] = places('OrderPackStarted');
        const [complete = -1] = places('OrderPackComplete');
        for (const line of lines) {
          expect(Math.max(...places('OrderItemPick', line))).toBeLessThan(done);
          expect(Math.min(...places('OrderItemPack', line))).toBeGreaterThan(started);
          expect(Math.max(...places('OrderItemPack', line))).toBeLessThan(complete);
        }
        const again = scenario === 'pickedAndPackedAgain' ? 1 : 0;
        expect(places('OrderItemPick', lines[0])).toHaveLength(1 + again);
        expect(places('OrderItemUnpick', lines[0])).toHaveLength(again);
        expect(places('OrderItemUnpack', lines[0])).toHaveLength(again);
      }
    },
  );

  it('shares no event id with the next order, nor with a warehouse that started slightly later', async () => {
    const what = { orders: 2, scenarios: ['pickedAndPackedAgain'] } as const;
    const one = await playedAlone({ firstId: 1000 }, what);
    const next = await playedAlone({ firstId: 1002 }, what);
    const ids = [...one.happened, ...next.happened];
    expect(one.happened.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the player', () => {
  it('sends every event once and in order by default', async () => {
    const { simulator, received, happened } = await played({}, { orders: 20, concurrency: 1 });
    expect(received).toEqual(happened);
    expect(simulator.truth().every(({ events }) => events.every(({ fate }) => fate === 'delivered'))).toBe(true);
  });

  it('applies an event before it sends its delivery', async () => {
    const { simulator, received } = await openDeliveries();
    const orderId = simulator.createOrder();
    const event = await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    expect((await get(simulator, `/orders/${orderId}`)).body.readOnly.status).toBe(1);
    expect(received).toHaveLength(0);
    expect(await simulator.deliver(event)).toBe(200);
    expect(received).toHaveLength(1);
  });

  it('plays the same run for the same seed, at any concurrency and with any answers', async () => {
    const rates = { duplicate: 0.2, reorder: 0.2, late: 0.1, drop: 0.1 };
    const one = await played({ seed: 7, rates }, { orders: 30, concurrency: 1 });
    const flaky = await played({ seed: 7, rates, pace: 3 }, { orders: 30, concurrency: 30 }, (index) =>
      index % 3 === 0 ? 503 : 200,
    );
    const other = await played({ seed: 8, rates }, { orders: 30 });
    expect(withoutTimes(flaky.simulator.truth())).toEqual(withoutTimes(one.simulator.truth()));
    expect(other.happened).not.toEqual(one.happened);
  });

  it('creates new orders each time', async () => {
    const { simulator } = await playedAlone({}, { orders: 3 });
    await simulator.play({ orders: 4 });
    expect(new Set(simulator.truth().map(({ id }) => id)).size).toBe(7);
  });

  it('sorts the ids of two simultaneous plays', async () => {
    const simulator = await openSimulator({ pace: 2 });
    await Promise.all([simulator.play({ orders: 6, concurrency: 1 }), simulator.play({ orders: 6, concurrency: 1 })]);
    const ids = simulator.truth().map(({ id }) => Number(id));
    expect(ids).toHaveLength(12);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('shares no id with a run that starts at other ids', async () => {
    const one = await playedAlone({ firstId: 1000 }, { orders: 10, receipts: 10 });
    const next = await playedAlone({ firstId: 1010 }, { orders: 10, receipts: 10 });
    const ids = (run: typeof one) => [...run.happened, ...run.simulator.truth().map(({ id }) => id)];
    expect(new Set([...ids(one), ...ids(next)]).size).toBe(ids(one).length + ids(next).length);
    expect(next.simulator.truth().map(({ scenario }) => scenario)).toEqual(
      one.simulator.truth().map(({ scenario }) => scenario),
    );
  });

  it('reports how many orders are done', async () => {
    const progress: number[] = [];
    await playedAlone({}, { orders: 5, onProgress: (done) => progress.push(done) });
    expect(progress).toEqual([1, 2, 3, 4, 5]);
  });

  it('sends a doubled event twice', async () => {
    const { simulator, received, happened } = await played({ rates: { duplicate: 1 } }, { orders: 5, concurrency: 1 });
    expect(received).toEqual(happened.flatMap((id) => [id, id]));
    expect(simulator.counts().sent).toBe(2 * happened.length);
  });

  it('applies a dropped event and never sends it', async () => {
    const { simulator, received } = await played({ rates: { drop: 1 } }, { orders: 5, scenarios: ['straight'] });
    expect(received).toEqual([]);
    expect(simulator.truth().every(({ stage }) => stage === 'confirmed')).toBe(true);
    expect(simulator.truth().every(({ events }) => events.every(({ fate }) => fate === 'dropped'))).toBe(true);
  });

  it('sends a reordered event right after the one that followed it', async () => {
    const { received, happened } = await played({ rates: { reorder: 0.3 } }, { orders: 20, concurrency: 1 });
    const places = received.map((id) => happened.indexOf(id));
    const steps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(places.toSorted((a, b) => a - b)).toEqual(happened.map((_, index) => index));
    expect(new Set(steps.filter((step) => step < 0))).toEqual(new Set([-1]));
  });

  it('reverses a scenario whose events are all reordered', async () => {
    const { received, happened } = await played({ rates: { reorder: 1 } }, { orders: 1 });
    expect(received).toEqual(happened.toReversed());
  });

  it('sends late events in order, after the last event of their order', async () => {
    const simulator = await openSimulator({ rates: { late: 1 } });
    const stagesAtArrival: unknown[] = [];
    const { url, received } = await openReceiver(() => {
      stagesAtArrival.push(simulator.truth()[0]?.stage);
      return 200;
    });
    simulator.setWebhooks([everyEvent('Order', url)]);
    await simulator.play({ orders: 1, scenarios: ['straight'] });
    expect(received.map(({ message }) => eventIdOf(message))).toEqual(simulator.truth()[0]?.events.map(({ id }) => id));
    expect(new Set(stagesAtArrival)).toEqual(new Set(['confirmed']));
  });

  it('sends late events after the prompt ones', async () => {
    const { received, happened } = await played({ rates: { late: 0.3 } }, { orders: 20, concurrency: 1 });
    expect([...received].sort()).toEqual([...happened].sort());
    expect(received).not.toEqual(happened);
  });

  it('resolves when a broken destination has refused everything', async () => {
    const options = { retryIntervalMs: 1 };
    const { simulator } = await played(options, { orders: 2, scenarios: ['canceledEarly'] }, () => 500);
    const fates = simulator.truth().flatMap(({ events }) => events.map(({ fate }) => fate));
    expect(new Set(fates)).toEqual(new Set(['undelivered']));
    expect(simulator.counts().undelivered).toBe(fates.length);
  });

  it('counts the calls by operation', async () => {
    const simulator = await openSimulator();
    await get(simulator, '/customers/418');
    await get(simulator, '/customers/1');
    await fetch(`${simulator.baseUrl}/events/webhook/key`);
    expect(simulator.counts().calls).toEqual({ token: 2, getCustomer: 2, webhookKey: 1 });
    const counts = await fetch(`${simulator.baseUrl}/simulator/counts`);
    expect(await counts.json()).toEqual(simulator.counts());
  });

  it('serves the truth over HTTP', async () => {
    const { simulator } = await playedAlone({}, { orders: 3 });
    const truth = await fetch(`${simulator.baseUrl}/simulator/truth`);
    expect(await truth.json()).toEqual(simulator.truth());
  });
});
