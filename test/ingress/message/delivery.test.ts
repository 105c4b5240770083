import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sayReason } from '../../../src/domain/quarantine.ts';
import { parseDelivery } from '../../../src/ingress/message/delivery.ts';
import { anyText } from '../../support/any-text.ts';

/** A message as captured (wire-facts.md). */
const captured = {
  tplId: 9104,
  wmsEventId: 187450321,
  dateTime: '2026-02-11T16:42:19.0630000',
  eventDatetimeUtc: '2026-02-11T16:42:19.0630000',
  createDatetimeUtc: '2026-02-11T16:43:08.2430000',
  eventType: 'OrderUpdate',
  resource: {
    rel: 'orders/order',
    href: '/orders/31004581?detail=OrderItems,SavedElements&itemdetail=SavedElements',
    body: { readOnly: { orderId: 31004581, status: 0 }, referenceNum: 'OR104582X' },
  },
  links:
    '{"uiproperties/user":{"LastModifiedBy":"/uiproperties/users/2108"},"customers/customer":"/customers/418","properties/facility":"/properties/facilities/12"}',
  data: '{"OrderId":"31004581"}',
  tags: 'Demo',
};

const event = {
  names: '418',
  id: '9104:187450321',
  tenant: '9104',
  name: 'OrderUpdate',
  subject: 'order',
  subjectId: '31004581',
  time: Date.UTC(2026, 1, 11, 16, 42, 19, 63),
  userId: '2108',
};

const RECEIVED_AT = 1_800_000_000_000;
const parseBytes = (raw: Buffer) => parseDelivery({ raw, receivedAt: RECEIVED_AT, defaultTenant: '1' });
const parseText = (text: string) => parseBytes(Buffer.from(text));
const parse = (message: object) => parseText(JSON.stringify(message));
const without = (...names: (keyof typeof captured)[]) =>
  Object.fromEntries(Object.entries(captured).filter(([name]) => !names.includes(name as keyof typeof captured)));
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('parseDelivery reads the same event', () => {
  const { body } = captured.resource;
  const upperCase = JSON.stringify(captured).replaceAll(
    /"(\w+)":/g,
    (_all, name: string) => `"${name.toUpperCase()}":`,
  );
  it.each<[string, string | object]>([
    ['from the captured message', captured],
    ['with keys in upper case', upperCase],
    ['with the body as a string', { ...captured, resource: { ...captured.resource, body: JSON.stringify(body) } }],
    [
      'with links and data as objects',
      { ...captured, links: JSON.parse(captured.links), data: JSON.parse(captured.data) },
    ],
    ['from the wrapper', { headers: { a: '1' }, body: captured }],
    ['from the wrapper with its body as a string', { headers: {}, body: JSON.stringify(captured) }],
    ['with ids as strings', { ...captured, tplId: '9104', wmsEventId: '187450321' }],
    [
      'with the other spelling of the time',
      { ...without('eventDatetimeUtc', 'dateTime'), eventDateTimeUtc: captured.dateTime },
    ],
    ['with the deprecated time only', without('eventDatetimeUtc')],
    ['with the time in UTC said aloud', { ...captured, eventDatetimeUtc: '2026-02-11T16:42:19.063Z' }],
    ['with the name in another spelling', { ...captured, eventType: 'order_update' }],
    ['behind a byte order mark', `\uFEFF${JSON.stringify(captured)}`],
    ['with a note that ends in half a character', JSON.stringify(captured).replace('"Demo"', '"\\ud83d \\u0000"')],
    [
      'with links that are no JSON, from the resource',
      {
        ...captured,
        links: '{broken',
        resource: {
          body: {
            readOnly: { ...body.readOnly, lastModifiedByIdentifier: { id: 2108 } },
            customerId: 418,
            referenceNum: 'OR104582X',
          },
        },
      },
    ],
  ])('%s', (_case, message) => {
    const carrying = { ...event, carriesResource: true, reference: 'OR104582X' };
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    expect(parseText(text)).toEqual({ id: event.id, tenant: event.tenant, event: carrying });
  });

  it('has the time of the last change that its record has, as it is written', () => {
    const readOnly = { ...captured.resource.body.readOnly, lastModifiedDate: '2026-02-11T10:42:19.063' };
    const text = JSON.stringify({ ...captured, resource: { ...captured.resource, body: { readOnly } } });
    expect(parseText(text)).toMatchObject({ event: { changedAt: '2026-02-11T10:42:19.063' } });
  });

  it.each([
    ['without the resource', without('resource')],
    ['with only the address of the order', { ...without('data'), resource: { href: 'https://host/orders/31004581' } }],
    ['with an empty resource', { ...captured, resource: { ...captured.resource, body: {} } }],
    ['with an error', { ...captured, resource: { ...captured.resource, body: { Message: 'An error has occurred.' } } }],
    [
      'with an error that names the order',
      { ...captured, resource: { ...captured.resource, body: { ErrorCode: 'Timeout', OrderId: 31004581, Status: 1 } } },
    ],
    [
      'with an error that names it in another id',
      { ...captured, resource: { ...captured.resource, body: { Code: 'X', TransactionId: 31004581, Status: 1 } } },
    ],
    [
      'with a record of unset ids',
      { ...captured, resource: { ...captured.resource, body: { readOnly: { orderId: 0 } } } },
    ],
  ])('%s, which it does not carry then', (_case, message) => {
    expect(parse(message)).toEqual({ id: event.id, tenant: event.tenant, event });
  });
});

describe('parseDelivery', () => {
  it.each([
    ['the resource before the address', { href: '/orders/2', body: { readOnly: { orderId: 1 } } }, '1'],
    ['the address before the data', { href: '/orders/2' }, '2'],
    ['the data when the address is of something else', { href: '/orders/pickjobs/2/picklist' }, '3'],
  ])('takes the id of the order from %s', (_case, resource, subjectId) => {
    expect(parse({ ...captured, resource, data: { orderId: '3' } })).toMatchObject({ event: { subjectId } });
  });

  it.each([
    ['ReceiptConfirm', 'receipt', { resource: { href: '/inventory/receivers/55001?detail=ReceiveItems' } }],
    ['ReceiptConfirm', 'receipt', { data: '{"ReceiverId":"55001"}' }],
    ['receiver-confirm', 'receipt', { resource: { body: { readOnly: { receiverId: 55001 } } } }],
    ['AdjustmentConfirm', 'adjustment', { resource: { href: '/inventory/adjustments/55001' } }],
    ['AdjustmentConfirm', 'adjustment', { data: { AdjustmentId: 55001 } }],
    ['AssemblyCancel', 'assembly', { resource: { href: '/inventory/assemblies/55001' } }],
    ['AssemblyCancel', 'assembly', { data: { assemblyId: '55001' } }],
    ['ReceiptCancel', 'receipt', { data: '{"receiver\\u0049d":"55001"}' }],
  ])('reads %s of a %s by %j', (eventType, subject, where) => {
    const message = { ...without('resource', 'data'), eventType, ...where };
    expect(parse(message)).toMatchObject({ event: { subject, subjectId: '55001' } });
  });

  const message = (eventType: string, where: object) => ({
    ...without('resource', 'data', 'links'),
    eventType,
    ...where,
  });

  it.each([
    { resource: { href: '/orders/31/items/310?detail=Allocations' } },
    { resource: { href: '/orders/31/items/9', body: { readOnly: { orderItemId: 310 } } } },
    { data: '{"OrderId":"31","OrderItemId":"310"}' },
  ])('reads an order item as a line of its order by %j', (where) => {
    expect(parse(message('OrderItemPick', where))).toMatchObject({
      event: { name: 'OrderItemPick', subject: 'order', subjectId: '31', orderItemId: '310' },
    });
  });

  it.each([
    { resource: { href: '/customers/418/items/7001' } },
    { data: { ItemId: '7001', CustomerId: '418' } },
    { resource: { body: { itemId: 7001, readOnly: { customerIdentifier: { id: 418 } } } } },
    { data: { ItemId: '7001' }, links: { 'customers/customer': '/customers/418' } },
  ])('reads an item and its customer by %j', (where) => {
    expect(parse(message('ItemUpdate', where))).toMatchObject({
      event: { subject: 'item', subjectId: '7001', customerId: '418' },
    });
  });

  it.each([
    { resource: { body: { orderId: 31, customerId: 77 } }, links: { 'customers/customer': '/customers/418' } },
    { resource: { body: { orderId: 31, customerId: 77, readOnly: { customerIdentifier: { id: 418 } } } } },
    { data: { OrderId: '31', CustomerId: '77' }, links: { 'customers/customer': '/customers/418' } },
  ])('reads that the customer of an order is disputed by %j', (where) => {
    const { event } = parse(message('OrderUpdate', where)) as { readonly event: object };
    expect(event).toMatchObject({ subjectId: '31', disputed: true });
    expect(event).not.toHaveProperty('names');
  });

  const row = { facilityId: 12, itemIdentifier: { id: 7001, sku: 'TEA' }, qualifier: 'RED', onHand: 40, available: 38 };
  it.each([
    { resource: { body: row } },
    { resource: { body: JSON.stringify(row) } },
    { resource: { body: { summaries: [row] } } },
    { resource: { body: { TotalResults: 1, ResourceList: [row] } } },
  ])('reads a stock summary with its key and levels from %j', (where) => {
    const links = { 'customers/customer': '/customers/418' };
    expect(parse({ ...message('InventorySummaryUpdate', where), links })).toMatchObject({
      event: {
        subject: 'stock',
        subjectId: '12.7001.RED',
        shown: { customerId: '418', facilityId: '12', referenceNumber: 'TEA', levels: { onHand: 40, available: 38 } },
      },
    });
  });

  it.each([
    [{ resource: { href: '/inventory/receiveitems/880' } }, { onHold: true }],
    [{ data: { ReceiveItemId: 880 } }, { onHold: true }],
    [
      {
        resource: {
          body: {
            readOnly: { receiveItemId: 880, customerIdentifier: { id: 418 }, facilityIdentifier: { id: 12 } },
            itemIdentifier: { sku: 'TEA' },
          },
        },
      },
      { onHold: true, customerId: '418', facilityId: '12', referenceNumber: 'TEA' },
    ],
  ])('reads an item on hold by %j', (where, shown) => {
    expect(parse(message('InventoryPlaceOnHold', where))).toMatchObject({
      event: { subject: 'hold', subjectId: '880', shown },
    });
    expect(parse(message('InventoryReleaseFromHold', where))).toMatchObject({ event: { shown: { onHold: false } } });
  });

  it('keeps all digits of numbers beyond 2^53', () => {
    const text = JSON.stringify(without('resource', 'data')).replace('187450321', '900719925474099312345');
    const message = text.replace(/}$/, ',"data":{"orderId":9007199254740993}}');
    expect(parseText(message)).toMatchObject({
      id: '9104:900719925474099312345',
      event: { subjectId: '9007199254740993' },
    });
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['9007199254740991', '9007199254740991'],
    ['1e3', '1000'],
  ])('reads the number %s as the id %s', (number, subjectId) => {
    const text = JSON.stringify({ ...without('resource'), data: { orderId: 0 } });
    expect(parseText(text.replace('"orderId":0', `"orderId" : ${number} `))).toMatchObject({ event: { subjectId } });
  });

  it('reads decimals and numbers in strings as they are', () => {
    const text = `{"tplId":9104,"a":[1.12345678901234567890,-1.5E+3],"b":"12345678901234567890","eventType":"X"}`;
    expect(parseText(text)).toMatchObject({ quarantined: { code: 'unknownName', name: 'X' } });
  });

  it('searches a thousand links at most', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`rel${index}`, '/x']));
    const user = { 'uiproperties/user': '/uiproperties/users/7' };
    expect(parse({ ...captured, links: { ...user, ...many } })).toMatchObject({ event: { userId: '7' } });
    expect(parse({ ...captured, links: { ...many, ...user } })).toMatchObject({
      event: expect.not.objectContaining({ userId: expect.anything() }),
    });
  });

  it('names no user for an event by the system', () => {
    const links = { 'uiproperties/user': { LastModifiedBy: '/uiproperties/users/-1' } };
    expect(parse({ ...captured, links })).toMatchObject({
      event: expect.not.objectContaining({ userId: expect.anything() }),
    });
  });

  it('finds the last modifier rather than the creator, and the pick job', () => {
    const links = {
      'uiproperties/user': { CreatedBy: '/uiproperties/users/1', LastModifiedBy: '/uiproperties/users/2' },
      'orders/pickjob': '/orders/pickjobs/55/picklist',
    };
    expect(parse({ ...captured, links })).toMatchObject({ event: { userId: '2', pickJobId: '55' } });
  });

  it('finds a pick job that only the address of the resource names', () => {
    const resource = { rel: 'orders/pickjob', href: '/orders/pickjobs/55/picklist' };
    expect(parse({ ...captured, eventType: 'OrderPickJobDone', resource })).toMatchObject({
      event: { subjectId: '31004581', pickJobId: '55' },
    });
  });

  it('takes a member that several keys spell, unless their values differ', () => {
    const same = { ...captured, EventDateTimeUtc: captured.eventDatetimeUtc, TPLID: null, EVENTTYPE: 'OrderUpdate' };
    expect(parse(same)).toMatchObject({ event });
    expect(parse({ ...captured, EventDateTimeUtc: '2026-02-11T00:00:00' })).toMatchObject({
      quarantined: { code: 'unreadable', why: 'two values for "eventdatetimeutc"' },
    });
    expect(parse({ ...captured, Tags: 'unread' })).toMatchObject({ event });
  });

  it('uses the default tenant for a message that names none', () => {
    expect(parse(without('tplId'))).toMatchObject({ id: '1:187450321', event: { tenant: '1' } });
  });

  const zeros = '00000000-0000-0000-0000-000000000000';

  it.each([undefined, null, 0, '0', -1, '-1', zeros, 'null', '', ' ', {}, 'a:b', 'x'.repeat(120)])(
    'takes the hash of the bytes for the event id %j',
    (wmsEventId) => {
      const text = JSON.stringify({ ...captured, wmsEventId });
      expect(parseText(text)).toMatchObject({ id: sha256(text), event: { id: sha256(text) } });
    },
  );

  it.each([0, '0', -1, '-1', zeros, 'null', ''])(
    'does not take %j for a tenant, or for the id of an order',
    (unset) => {
      expect(parse({ ...captured, tplId: unset })).toMatchObject({ event: { tenant: '1' } });
      const resource = { href: '/orders/31004581', body: { readOnly: { orderId: unset } } };
      expect(parse({ ...captured, resource })).toMatchObject({ event: { subjectId: '31004581' } });
      expect(parse({ ...captured, resource: {}, data: { OrderId: unset } })).toMatchObject({
        quarantined: { code: 'noId', family: 'order' },
      });
    },
  );

  it.each([
    undefined,
    '0001-01-01T00:00:00',
    'yesterday',
    '2026-13-45T99:00:00',
    '2027-01-18T08:00:00Z',
    '9999-12-31T23:59:59',
    5,
  ])('takes the time of arrival for the time %j', (time) => {
    const message = { ...without('createDatetimeUtc', 'dateTime'), eventDatetimeUtc: time };
    expect(parse(message)).toMatchObject({ event: { time: RECEIVED_AT } });
  });
});

describe('parseDelivery quarantines', () => {
  const orderOf = (orderId: unknown) => JSON.stringify({ ...without('resource'), data: { orderId } });
  it.each<[string, string | Buffer, unknown]>([
    ['nothing', '', 'unreadable: not JSON'],
    ['no JSON', 'hello', 'unreadable: not JSON'],
    ['half a message', '{"tplId":9104,"eventType":"Ord', 'unreadable: not JSON'],
    ['a bad escape in a key', '{"\\x":1}', 'unreadable: not JSON'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'unreadable: not UTF-8'],
    ['a surrogate written as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'unreadable: not UTF-8'],
    ['a list', '[]', 'unreadable: not a JSON object'],
    ['a null', 'null', 'unreadable: not a JSON object'],
    ['500,000 levels', '['.repeat(500_000) + ']'.repeat(500_000), 'unreadable: more than 64 levels'],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'unreadable: more than 64 levels'],
    [
      '100,000 keys',
      `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join()}}`,
      'unreadable: more than 2000 different keys',
    ],
    ['half a million values', `[${'1,'.repeat(500_000)}1]`, 'unreadable: more than 100000 values'],
    ['half a million objects', `[${'{},'.repeat(250_000)}1]`, 'unreadable: more than 100000 values'],
    ['a long number for a key', '{12345678901234567890:1}', 'unreadable: not JSON'],
    ['a long number behind another', '[1 12345678901234567890]', 'unreadable: not JSON'],
    ['a long number with a zero before it', '[012345678901234567890]', 'unreadable: not JSON'],
    ['a key twice', '{"tplId":1,"tplId":2}', 'unreadable: the same key twice'],
    ['a key twice, once escaped', '{"tplId":1,"tpl\\u0049d" :2}', 'unreadable: the same key twice'],
    [
      'a key twice, once in capitals',
      '{"eventType":"OrderCreate","EventType":"OrderCancel"}',
      'unreadable: two values for "eventtype"',
    ],
    ['__proto__', '{"resource":{"__proto__":{"href":"/orders/1"}}}', 'unreadable: the key "__proto__"'],
    ['no event type', '{}', 'no event type'],
    ['an empty wrapper', '{"headers":{},"body":""}', 'no event type'],
    [
      'an unknown event',
      '{"eventType":"Order\\u0000Teleported"}',
      expect.stringContaining('unknown event "Order\\u0000Teleported":'),
    ],
    [
      'an endless name',
      JSON.stringify({ eventType: 'X'.repeat(1000) }),
      `unknown event "${'X'.repeat(60)}": the message names no family`,
    ],
    ['an item without id', '{"eventType":"ItemCreate"}', 'no id of an item'],
    ['a receipt without id', '{"eventType":"ReceiptCreate"}', 'no id of a receipt'],
    ['an assembly without id', '{"eventType":"AssemblyCreate"}', 'no id of an assembly'],
    ['an order item without ids', '{"eventType":"OrderItemPack"}', 'no id of an order item and its order'],
    [
      'an order item without its order',
      '{"eventType":"OrderItemPack","data":{"OrderItemId":1}}',
      'no id of an order item and its order',
    ],
    [
      'an order item with a slash in its id',
      '{"eventType":"OrderItemPack","data":{"OrderId":1,"OrderItemId":"a/b"}}',
      "the order item's id is not usable",
    ],
    [
      'a stock summary without its row',
      '{"eventType":"InventorySummaryUpdate"}',
      'no stock summary with its facility and item',
    ],
    [
      'two stock summaries that cannot be read',
      '{"eventType":"InventorySummaryUpdate","resource":{"body":{"summaries":[{},{}]}}}',
      'no stock summary with its facility and item',
    ],
    [
      'too many stock summaries',
      `{"eventType":"InventorySummaryUpdate","resource":{"body":[${'{},'.repeat(3000)}{}]}}`,
      'too many stock summaries in one message',
    ],
    [
      'no stock summary in a list',
      '{"eventType":"InventorySummaryUpdate","resource":{"body":[]}}',
      'no stock summary in the list',
    ],
    [
      'a stock summary with an endless qualifier',
      JSON.stringify({
        eventType: 'InventorySummaryUpdate',
        resource: { body: { facilityId: 1, itemIdentifier: { id: 2 }, qualifier: 'x'.repeat(200) } },
      }),
      "the stock summary's id is not usable",
    ],
    ['a hold without id', '{"eventType":"InventoryPlaceOnHold"}', 'no id of a hold'],
    ['an order without id', '{"eventType":"OrderCreate"}', 'no id of an order'],
    ['an id with a colon', orderOf('1:2'), "the order's id is not usable"],
    ['an id with a slash', orderOf('../1'), "the order's id is not usable"],
    ['an id of dots', orderOf('..'), 'no id of an order'],
    ['an id with a space', orderOf('1 2'), "the order's id is not usable"],
    ['an id with a line break', orderOf('1\n2'), "the order's id is not usable"],
    ['an id with a zero byte', orderOf('1\u0000'), "the order's id is not usable"],
    ['an id with half a character', orderOf('1\ud800'), "the order's id is not usable"],
    ['an absurdly long id', orderOf('1'.repeat(101)), "the order's id is not usable"],
    ['a tenant with a colon', JSON.stringify({ ...captured, tplId: 'order:1' }), 'the tplId is not usable'],
    ['a tenant that is an object', JSON.stringify({ ...captured, tplId: {} }), 'the tplId is not usable'],
  ])('%s', (_case, message, reason) => {
    const read = parseBytes(Buffer.from(message as string));
    expect(read.id).toMatch(/^(sha256|9104|1):/);
    expect('quarantined' in read && sayReason(read.quarantined)).toEqual(reason);
  });

  it('a message of 64 levels by its content, not by its depth', () => {
    expect(parseText(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).toMatchObject({ quarantined: { code: 'noName' } });
  });
});

describe('parseDelivery with any input', () => {
  const isSound = (raw: Buffer) => {
    const delivery = parseBytes(raw);
    expect(delivery.id.length).toBeLessThan(100);
    expect(!('quarantined' in delivery) || JSON.stringify(delivery.quarantined).length < 500).toBe(true);
  };

  it('never throws for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => isSound(Buffer.from(bytes))));
  });

  it('never throws for any JSON in the place of any field', () => {
    const field = fc.constantFrom(
      'tplId',
      'wmsEventId',
      'eventDatetimeUtc',
      'eventType',
      'resource',
      'links',
      'data',
      'body',
      'headers',
    );
    const value = fc.oneof(fc.jsonValue(), fc.json(), anyText());
    fc.assert(
      fc.property(field, value, (name, json) => isSound(Buffer.from(JSON.stringify({ ...captured, [name]: json })))),
    );
  });

  it('never throws for a captured message with bytes changed', () => {
    const text = Buffer.from(JSON.stringify(captured));
    const change = fc.record({ at: fc.nat(text.length - 1), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        const bytes = Buffer.from(text);
        for (const { at, byte } of changes) bytes[at] = byte;
        isSound(bytes);
      }),
    );
  });
});
