import { describe, expect, it } from 'vitest';
import { createTally, type Received } from '../../sandbox/receiver/tally.ts';
import type { SubjectTruth } from '../../sandbox/simulator/state/book.ts';
import { isFlawless, verify } from './verification.ts';

const event = (number: number, milestone: SubjectTruth['events'][number]['milestone'], name: string) => ({
  id: `9104:${number}`,
  name,
  milestone,
  time: number,
  fate: 'delivered' as const,
});

const order: SubjectTruth = {
  tenant: '9104',
  kind: 'order',
  id: '7',
  scenario: null,
  stage: 'confirmed',
  events: [event(1, 'created', 'OrderCreate'), event(2, 'confirmed', 'OrderConfirm')],
};

const stock: SubjectTruth = {
  tenant: '9104',
  kind: 'stock',
  id: '12.1.',
  scenario: null,
  stage: 'current',
  events: [3, 4].map((number) => event(number, 'changed', 'InventorySummaryUpdate')),
};

const announced = (subject: string, sequence: number, milestone: string, eventId: string): Received => ({
  id: `${subject}/${sequence}/${milestone}`,
  subject,
  source: '/dockline/9104',
  sequence,
  previous: sequence - 1 || null,
  type: `dockline.${milestone}`,
  eventId: `9104:${eventId}`,
  time: new Date(Number(eventId)).toISOString(),
  late: false,
  inferred: false,
  receivedAt: 0,
  triedAt: 0,
  content: {
    kind: 'order',
    id: '7',
    milestone: 'updated',
    stage: 'created',
    inferred: false,
    event: null,
    facts: [],
    missing: [],
    records: {},
  },
});

const complete = [
  announced('order:9104:7', 1, 'created', '1'),
  announced('order:9104:7', 2, 'confirmed', '2'),
  announced('stock:9104:12.1.', 1, 'changed', '4'),
];

function verifyWith(received: readonly Received[], truth: readonly SubjectTruth[] = [order, stock]) {
  const tally = createTally();
  for (const one of received) tally.add(one);
  return verify({ simulator: { truth: () => truth }, receiver: { received: tally.received, tally: tally.counts } });
}

describe('a verification', () => {
  it('is flawless if every accepted event is announced, and of stock the newest', () => {
    const figures = verifyWith(complete);
    expect(figures).toEqual({
      accepted: 4,
      undelivered: 0,
      announced: 3,
      missing: 0,
      duplicates: 0,
      outOfOrder: 0,
      repeated: 0,
    });
    expect(isFlawless(figures)).toBe(true);
  });

  it('reports an accepted event that is not announced as missing', () => {
    expect(verifyWith(complete.slice(1)).missing).toBe(1);
  });

  it('reports the newest change of stock as missing', () => {
    const older = announced('stock:9104:12.1.', 1, 'changed', '3');
    expect(verifyWith([...complete.slice(0, 2), older]).missing).toBe(1);
  });

  it('expects no announcement of a webhook that was never answered 200', () => {
    const refused = { ...event(2, 'confirmed', 'OrderConfirm'), fate: 'undelivered' as const };
    const truth = [{ ...order, events: [event(1, 'created', 'OrderCreate'), refused] }];
    expect(verifyWith(complete.slice(0, 1), truth)).toMatchObject({ accepted: 1, undelivered: 1, missing: 0 });
  });

  it('counts an event under two ids as a duplicate, and an id received twice as repeated', () => {
    const again = announced('order:9104:7', 3, 'confirmed', '2');
    expect(verifyWith([...complete, again])).toMatchObject({ duplicates: 1, repeated: 0 });
    expect(verifyWith([...complete, ...complete.slice(1, 2)])).toMatchObject({ duplicates: 0, repeated: 1 });
    expect(isFlawless(verifyWith([...complete, again]))).toBe(false);
  });

  it('counts a milestone that a GET showed as a duplicate, unless an older event took it back afterwards', () => {
    const events = [
      event(1, 'excludedFromPickJob', 'OrderExcludedFromPickJob'),
      event(2, 'picked', 'OrderPickJobDone'),
    ];
    const announce = (sequence: number, milestone: string, eventId: string) =>
      announced('order:9104:7', sequence, milestone, eventId);
    const shown = { ...announce(1, 'picked', '0'), eventId: null, inferred: true };
    const excluded = announce(2, 'excludedFromPickJob', '1');
    const truth = [{ ...order, events }];
    expect(verifyWith([shown, excluded, announce(3, 'picked', '2')], truth)).toMatchObject({
      missing: 0,
      duplicates: 0,
    });
    const first = { ...excluded, id: 'order:9104:7/0/excludedFromPickJob', sequence: 0 };
    expect(verifyWith([first, shown, announce(3, 'picked', '2')], truth)).toMatchObject({ missing: 0, duplicates: 1 });
  });
});
