import { type CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import type { PlannedEvent } from '../../../src/domain/catalogue/event.ts';
import { anyInput, packed } from './announcements.ts';

const parse = (body: string) =>
  HTTP.toEvent({ headers: { 'content-type': 'application/cloudevents+json' }, body }) as CloudEvent<unknown>;

const collections = {
  order: 'orders',
  receipt: 'receipts',
  adjustment: 'adjustments',
  assembly: 'assemblies',
  item: 'items',
  stock: 'stock',
  hold: 'holds',
};

describe('an announcement', () => {
  it('is the CloudEvent of its change', () => {
    const { id, revision, body } = createAnnouncement(packed);
    expect({ id, revision }).toEqual({ id: 'order:9104:31004581/3/packed', revision: 3 });
    expect(JSON.parse(body)).toEqual({
      specversion: '1.0',
      id: 'order:9104:31004581/3/packed',
      source: '/dockline/9104',
      type: 'dockline.order.packed',
      subject: 'orders/31004581',
      time: '2026-02-11T10:30:00.000Z',
      datacontenttype: 'application/json',
      dataschema: 'urn:dockline:order.packed:2',
      sequence: '0000000003',
      partitionkey: 'order:9104:31004581',
      data: {
        tenant: '9104',
        kind: 'order',
        id: '31004581',
        milestone: 'packed',
        revision: 3,
        stage: 'packed',
        inferred: false,
        late: false,
        cause: 'event',
        event: { id: '9104:187450321', name: 'OrderPackComplete', time: '2026-02-11T10:30:00.000Z' },
        snapshot: { status: 'open', fullyAllocated: true, pickDone: true, packStarted: true, packDone: true },
        progress: { lines: null, picked: 0, packed: 0 },
        resourceFrom: null,
        order: null,
        customer: null,
        user: null,
        pickList: null,
      },
    });
  });

  it('of a change without an event says so', () => {
    const { event: _, ...change } = packed.change;
    const dataOf = (cause: 'snapshot' | 'clock') =>
      JSON.parse(createAnnouncement({ ...packed, change: { ...change, cause } }).body).data;
    expect(dataOf('snapshot')).toMatchObject({ inferred: true, cause: 'snapshot', event: null });
    expect(dataOf('clock')).toMatchObject({ inferred: false, cause: 'clock', event: null });
  });

  it('of one order line has the progress of that and of all lines, and embeds it instead of the order', () => {
    const event = { ...packed.change.event, milestone: 'itemPicked', orderItemId: '310' } as PlannedEvent;
    const { lifecycle } = packed;
    const registers = {
      'itemPick:310': { milestone: 'itemPicked', time: 1, eventId: '9104:1' },
      'itemPick:311': { milestone: 'itemPicked', time: 1, eventId: '9104:2' },
      'itemPack:311': { milestone: 'itemPacked', time: 1, eventId: '9104:3' },
    } as const;
    const { body } = createAnnouncement({
      ...packed,
      change: { ...packed.change, milestone: 'itemPicked', event },
      lifecycle: { ...lifecycle, registers, snapshot: { status: 'open', lineCount: 4 } },
      resources: { orderItem: '{"qty":1}' },
    });
    const { type, data } = JSON.parse(body);
    expect(type).toBe('dockline.order.itemPicked');
    expect(data).toMatchObject({
      progress: { lines: 4, picked: 2, packed: 1 },
      orderItemId: '310',
      picked: true,
      packed: false,
      orderItem: { qty: 1 },
    });
    expect(data).not.toHaveProperty('order');
  });

  it('of levels has those before and after, and the number of events', () => {
    const { data } = JSON.parse(
      createAnnouncement({
        ...packed,
        subject: { tenant: '9104', kind: 'stock', id: '12.7001.' },
        change: {
          ...packed.change,
          milestone: 'changed',
          coalesced: 7,
          before: { levels: { onHand: 5 } },
          after: { levels: { onHand: 3 } },
        },
        resources: { stock: '{"onHand":3}' },
      }).body,
    );
    expect(data).toMatchObject({
      coalesced: 7,
      before: { levels: { onHand: 5 } },
      after: { levels: { onHand: 3 } },
      stock: { onHand: 3 },
    });
    expect(data).not.toHaveProperty('snapshot');
  });

  it('carries resources as they came, digit by digit', () => {
    const order = '{ "readOnly": {"orderId": 9007199254740993},\n "qty": 1.10, "note": "\\ud800" }';
    const { body } = createAnnouncement({ ...packed, resources: { order, user: '{"id":12345678901234567890}' } });
    expect(body).toContain(`"order":${order},"customer":null,"user":{"id":12345678901234567890},"pickList":null}}`);
    expect(() => JSON.parse(body)).not.toThrow();
  });

  it('is the same text each time', () => {
    expect(createAnnouncement(packed)).toEqual(createAnnouncement(structuredClone(packed)));
  });

  it('is a valid CloudEvent, whatever changed', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { id, body } = createAnnouncement(input);
        const event = parse(body);
        expect(event.validate()).toBe(true);
        expect(event).toMatchObject({
          id,
          type: `dockline.${input.subject.kind}.${input.change.milestone}`,
          subject: `${collections[input.subject.kind]}/${input.subject.id}`,
          sequence: String(input.change.revision).padStart(10, '0'),
          partitionkey: `${input.subject.kind}:${input.subject.tenant}:${input.subject.id}`,
        });
        const { subject, resources } = input;
        const embedded = [
          subject.kind,
          'customer',
          'user',
          ...(subject.kind === 'order' ? ['pickList' as const] : []),
        ] as const;
        expect(event.data).toMatchObject(
          Object.fromEntries(embedded.map((kind) => [kind, JSON.parse(resources[kind] ?? 'null')])),
        );
      }),
    );
  });
});
