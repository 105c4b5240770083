import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/domain/quarantine.ts';
import { toEntry } from '../../../src/ingress/message/delivery.ts';
import { readPayload } from '../../../src/ingress/message/parts.ts';

const RECEIVED_AT = 1_800_000_000_000;

const row = (facilityId: number, qualifier = '', onHand = 1) => ({
  facilityId,
  itemIdentifier: { id: 7001, sku: 'TEA' },
  qualifier,
  onHand,
});
const rows = [row(12), row(12, 'RED'), row(14)];
const head = {
  tplId: 9104,
  wmsEventId: 5,
  eventType: 'InventorySummaryUpdate',
  eventDatetimeUtc: '2026-02-11T16:42:19.063',
};
const links = { 'customers/customer': '/customers/418', 'uiproperties/user': '/uiproperties/users/7' };

const readText = (text: string, tenant = '9104') =>
  toEntry({ endpoint: 'warehouse', receivedAt: RECEIVED_AT, body: Buffer.from(text) }, { tenant });
const readBody = (body: unknown) => readText(JSON.stringify({ ...head, links, resource: { body } }));
const idsOf = ({ rows: read = [] }: Entry) => read.map(({ eventId }) => eventId);
const payloadOf = ({ body }: Entry) => readPayload(body);

describe('a message with several stock rows', () => {
  it.each<[string, unknown]>([
    ['a list', rows],
    ['a list in text', JSON.stringify(rows)],
    ['ResourceList', { TotalResults: 3, ResourceList: rows }],
    ['summaries', { summaries: rows }],
    ['_embedded', { _embedded: { 'http://api.3plCentral.com/rels/inventory/stocksummary': rows } }],
    ['_embedded behind something else', { _Embedded: { other: [{ a: 1 }], any: rows } }],
  ])('is an event for each row of %s', (_form, body) => {
    const entry = readBody(body);
    expect(entry).toMatchObject({ eventId: '9104:5', receivedAt: RECEIVED_AT });
    expect(entry).not.toHaveProperty('event');
    expect(idsOf(entry)).toEqual(['9104:5/12.7001.', '9104:5/12.7001.RED', '9104:5/14.7001.']);
    expect(entry.rows?.[1]).toMatchObject({
      subjectKey: 'stock:9104:12.7001.RED',
      event: {
        id: '9104:5/12.7001.RED',
        name: 'InventorySummaryUpdate',
        subject: 'stock',
        subjectId: '12.7001.RED',
        time: Date.UTC(2026, 1, 11, 16, 42, 19, 63),
        userId: '7',
        shown: { facilityId: '12', referenceNumber: 'TEA', customerId: '418', levels: { onHand: 1 } },
      },
    });
    expect(entry.rows?.map((one) => JSON.parse(payloadOf(one) ?? ''))).toEqual(rows);
  });

  it('with one row only has the id of its delivery', () => {
    for (const body of [[row(12)], row(12)])
      expect(readBody(body)).toMatchObject({ eventId: '9104:5', event: { id: '9104:5', subjectId: '12.7001.' } });
  });

  it('keeps every digit of each row', () => {
    const exact =
      '{"facilityId":12,"itemIdentifier":{"id":9007199254740993},"onHand":1.10,"available":12345678901234567890}';
    const entry = readText(`${JSON.stringify(head).slice(0, -1)},"resource":{"body":[${exact},{}]}}`);
    expect(entry.rows?.[0]).toMatchObject({
      event: { subjectId: '12.9007199254740993.', shown: { levels: { onHand: 1.1 } } },
    });
    expect(entry.rows?.map(payloadOf)).toEqual([exact, '{}']);
  });

  it('stores little more than itself, however large the rest of the message is', () => {
    const many = Array.from({ length: 1000 }, (_, index) => row(index));
    const entry = readText(JSON.stringify({ ...head, tags: 'x'.repeat(500_000), resource: { body: many } }));
    const stored = entry.rows?.reduce((sum, { body }) => sum + body.byteLength, 0) ?? 0;
    expect(stored).toBeLessThan(300_000);
  });

  it('quarantines by itself a row that cannot be read, so that it can be read again', () => {
    const twice = '{"facilityId":12,"FacilityId":13,"itemIdentifier":{"id":7001}}';
    const body = `[${JSON.stringify(rows[0])},{"note":1},${twice},${JSON.stringify({ ...rows[0], qualifier: 'x'.repeat(200) })}]`;
    const entry = readText(`${JSON.stringify(head).slice(0, -1)},"resource":{"body":${body}}}`);
    expect(entry).not.toHaveProperty('quarantineReason');
    expect(entry.rows?.map(({ quarantineReason }) => quarantineReason)).toEqual([
      undefined,
      { code: 'noStock' },
      { code: 'unreadable', why: 'two values for "facilityid"' },
      { code: 'unusableId', family: 'stock' },
    ]);
    const [, unread] = entry.rows ?? [];
    expect(unread?.eventId).toMatch(/^9104:5\/row-/);
    const mended = Buffer.from(String(unread?.body.toString()).replace('{"note":1}', JSON.stringify(rows[1])));
    expect(toEntry({ ...(unread as Entry), body: mended }, { tenant: '9104' })).toMatchObject({
      eventId: '9104:5/12.7001.RED',
      event: { id: '9104:5/12.7001.RED', time: Date.UTC(2026, 1, 11, 16, 42, 19, 63) },
    });
  });

  it('has the customer that it names itself, and that of the message only where no row names another', () => {
    const customersOf = (own: readonly (number | undefined)[]) =>
      readText(
        JSON.stringify({
          ...head,
          data: { CustomerId: 418 },
          resource: {
            body: own.map((id, n) => ({ ...row(n + 12), ...(id !== undefined && { customerIdentifier: { id } }) })),
          },
        }),
      ).rows?.map(({ event }) => [event?.shown?.customerId, event?.disputed]);
    expect(customersOf([undefined, 418])).toEqual([
      ['418', undefined],
      ['418', undefined],
    ]);
    expect(customersOf([77, 418, undefined])).toEqual([
      ['77', undefined],
      ['418', undefined],
      [undefined, true],
    ]);
  });

  it('has two events for a row that comes twice, in the order of the message', () => {
    const entry = readBody([row(12, '', 1), row(12, '', 2)]);
    expect(idsOf(entry)).toEqual(['9104:5/12.7001.', '9104:5/12.7001./2']);
    expect(entry.rows?.map(({ event }) => event?.shown?.levels?.onHand)).toEqual([1, 2]);
  });

  it.each([
    ['a long qualifier', { wmsEventId: 5 }, '9104'],
    ['no id of its own and the longest tenant', { wmsEventId: undefined, tplId: undefined }, 'x'.repeat(24)],
  ])('has ids of fewer than 100 characters, the same whenever it is read: %s', (_case, own, tenant) => {
    const body = [row(12, 'x'.repeat(80)), row(12, 'y'.repeat(80)), {}];
    const read = () => idsOf(readText(JSON.stringify({ ...head, ...own, resource: { body } }), tenant));
    const ids = read();
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[!-~]{1,99}$/);
    expect(read()).toEqual(ids);
  });
});
