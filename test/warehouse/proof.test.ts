import { createServer } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listen } from '../support/listen.ts';
import { never, openWarehouse } from './open-warehouse.ts';
import type { Reply } from './recording-server.ts';

const order = { readOnly: { orderId: 31004581, status: 0 }, referenceNum: 'OR1' };

const getOrder = async (reply: Reply, id = '31004581') => {
  const { warehouse } = await openWarehouse({ api: () => reply });
  return await warehouse.getOrder(id, never);
};

const unreadable = { code: 'ERR_WAREHOUSE_UNREADABLE' };

describe('an answer of 200', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', 'Internal error'],
    ['broken off', '{"readOnly":{"orderId":31004581},"referen'],
    ['null', 'null'],
    ['a text', '"31004581"'],
    ['a list', '[]'],
    ['a list with the record', JSON.stringify([order])],
    ['empty', '{}'],
    ['an error', '{"Message":"An error has occurred."}'],
    ['an error with a code', '{"ErrorCode":"NotFound","Hint":"orderId"}'],
    ['without its id', '{"readOnly":{"status":0},"referenceNum":"OR1"}'],
    ['with an id that is unset', '{"readOnly":{"orderId":0,"status":0}}'],
    ['an error that names it in another id', '{"ErrorCode":"Timeout","TransactionId":31004581,"Status":1}'],
    ['an error that names it in its own id', '{"ErrorCode":"Timeout","OrderId":31004581,"Status":1}'],
    ['an error in its form', '{"readOnly":{"orderId":31004581,"status":2},"message":"Timeout"}'],
    ['an error within its form', '{"readOnly":{"orderId":31004581,"status":1,"errorCode":"Timeout"}}'],
    ['an error with its link', '{"title":"Busy","status":1,"_links":{"self":{"href":"/orders/31004581"}}}'],
    ['an error by its type', '{"$type":"Wms.Exceptions.Busy, Wms","OrderId":31004581,"Status":1}'],
    ['one with another id that fits', '{"readOnly":{"transactionId":31004581,"status":0,"isClosed":false}}'],
    ['one with a plain id', '{"id":31004581,"status":1}'],
    ['a customer of the same number', '{"status":0,"_links":{"self":{"href":"/customers/31004581"}}}'],
    ['with two statuses', '{"readOnly":{"orderId":31004581,"status":0,"status":2}}'],
    ['with two statuses in two spellings', '{"readOnly":{"orderId":31004581,"status":0,"Status":2}}'],
    ['with two parts in two spellings', '{"readOnly":{"orderId":31004581},"ReadOnly":{"status":2}}'],
    ['with a prototype', '{"readOnly":{"orderId":31004581,"status":0},"__proto__":{}}'],
    ['nested 10,000 deep', `{"readOnly":{"orderId":31004581},"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['nested 500,000 deep', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['more than 32 MB', `{"readOnly":{"orderId":31004581},"x":"${'0'.repeat(33 * 1024 * 1024)}"}`],
  ])('that is %s is not the order', async (_name, body) => {
    await expect(getOrder({ body })).rejects.toMatchObject(unreadable);
  });

  it('that is another order is not the one that was asked for', async () => {
    await expect(getOrder({ body: { ...order, readOnly: { orderId: 31004582 } } })).rejects.toMatchObject({
      ...unreadable,
      message: 'GET /orders/31004581 answered 200 with order 31004582, not 31004581',
    });
  });

  it.each([
    ['beside its facts', { orderId: 31004581, status: 0 }],
    ['as text', { readOnly: { orderId: '31004581', status: 0 } }],
    ['in PascalCase', { ReadOnly: { OrderId: 31004581, Status: 0 } }],
    ['beside an empty list of errors', { readOnly: { orderId: 31004581, status: 0 }, errors: [], message: null }],
    [
      'beside a remark on its default',
      { readOnly: { orderId: 31004581, status: 0, isClosed: false }, warnings: ['x'] },
    ],
    ['beside an error of a part', { readOnly: { orderId: 31004581, status: 0, isClosed: false }, billingError: 'x' }],
    ['in its link', { status: 0, _links: { self: { href: '/orders/31004581?detail=All' } } }],
  ])('proves itself by an id that is %s', async (_name, body) => {
    expect((await getOrder({ body })).snapshot.status).toBe('open');
  });

  it('names the setting for an id that has another name', async () => {
    await expect(getOrder({ body: { readOnly: { no: 31004581 } } })).rejects.toThrow(
      'without the id of order 31004581 at readOnly.orderId (if it has another name, set order.id in WAREHOUSE_PROPERTIES)',
    );
  });

  it('is found by a property that the configuration names', async () => {
    const { standardProperties } = await import('../../src/domain/catalogue/properties.ts');
    const properties = { ...standardProperties, 'order.id': 'head.no' };
    const body = { head: { no: 7 }, orderId: 9, status: 0 };
    const { warehouse } = await openWarehouse({ api: () => ({ body }) }, { properties });
    await expect(warehouse.getOrder('7', never)).resolves.toBeDefined();
    await expect(warehouse.getOrder('9', never)).rejects.toMatchObject(unreadable);
  });

  it.each(['text/html', 'text/plain; charset=utf-8', 'application/xml', 'application/problem+json'])(
    'of type %s is none',
    async (type) => {
      await expect(getOrder({ headers: { 'content-type': type }, body: order })).rejects.toMatchObject({
        ...unreadable,
        message: expect.stringContaining(`with ${type.split(';')[0]}, not a record in JSON`),
      });
    },
  );

  it.each(['application/hal+json; charset=utf-8', 'Application/JSON', 'text/json'])(
    'may be of type %s',
    async (type) => {
      await expect(getOrder({ headers: { 'content-type': type }, body: order })).resolves.toBeDefined();
    },
  );
});

it.each([201, 202, 203, 204, 205, 206])('an answer of %i is not the order', async (status) => {
  const hasBody = status !== 204 && status !== 205;
  await expect(getOrder({ status, ...(hasBody && { body: order }) })).rejects.toMatchObject({
    ...unreadable,
    message: `GET /orders/31004581 answered ${status} instead of 200`,
  });
});

it('an answer that announces more than 32 MB is not waited for', async () => {
  const reply = { headers: { 'content-length': String(50 * 1024 * 1024) }, body: '{' };
  await expect(getOrder(reply)).rejects.toMatchObject({ ...unreadable, message: expect.stringContaining('more than') });
});

it('a record of too many values is too large, however few bytes it has', async () => {
  const body = JSON.stringify({ ...order, lines: Array.from({ length: 300_000 }, () => 0) });
  await expect(getOrder({ body })).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_TOO_LARGE' });
});

describe('every other record', () => {
  const ref = { tenant: '9104', id: '7' } as const;
  type Client = Awaited<ReturnType<typeof openWarehouse>>['warehouse'];
  const gets: Record<string, (client: Client) => Promise<unknown>> = {
    receipt: (client) => client.getSubject({ ...ref, kind: 'receipt' }, never),
    adjustment: (client) => client.getSubject({ ...ref, kind: 'adjustment' }, never),
    assembly: (client) => client.getSubject({ ...ref, kind: 'assembly' }, never),
    item: (client) => client.getSubject({ ...ref, kind: 'item', customerId: '418' }, never),
    line: (client) => client.getOrderItem('31', '7', never),
    lines: (client) => client.getOrderItems('7', never),
    customer: (client) => client.getCustomer('7', never),
    user: (client) => client.getUser('7', never),
    pickList: (client) => client.getPickList('7', never),
    stock: (client) => client.getSubject({ tenant: '9104', kind: 'stock', id: '12.7.' }, never),
  };
  const strangers: Record<string, object> = {
    receipt: { readOnly: { receiverId: 8, status: 0 } },
    adjustment: { readOnly: { adjustmentId: 8, status: 0 } },
    assembly: { readOnly: { assemblyId: 8, status: 0 } },
    item: { itemId: 8, sku: 'TEA' },
    line: { readOnly: { orderItemId: 8 }, qty: 7 },
    lines: { readOnly: { orderId: 8 }, items: { resourceList: [] } },
    customer: { readOnly: { customerId: 8 }, companyInfo: {} },
    user: { id: 8, name: 'pat' },
    pickList: { readOnly: { pickJobId: 8 }, lines: [{ orderId: 7 }], _links: { self: { href: '/orders/pickjobs/8' } } },
  };
  const lies: readonly (readonly [string, Reply])[] = [
    ['an error', { body: { Message: 'An error has occurred.' } }],
    ['an error that names it', { body: { ErrorCode: 'Timeout', Id: 7, JobId: 7, UserId: 7, TotalResults: 0 } }],
    ['an error with an empty list', { body: { Message: 'Timeout', TotalResults: 0, Summaries: [], Items: [] } }],
    ['empty', { body: {} }],
    ['a maintenance page', { headers: { 'content-type': 'text/html' }, body: '<html>Maintenance</html>' }],
  ];

  it.each(Object.keys(gets).flatMap((what) => lies.map(([name, reply]) => [what, name, reply] as const)))(
    'is not believed: %s that is %s',
    async (what, _name, reply) => {
      const { warehouse } = await openWarehouse({ api: () => reply });
      await expect(gets[what]?.(warehouse)).rejects.toMatchObject(unreadable);
    },
  );

  it.each(Object.keys(strangers))("is not believed: a stranger's %s", async (what) => {
    const { warehouse } = await openWarehouse({ api: () => ({ body: strangers[what] ?? {} }) });
    await expect(gets[what]?.(warehouse)).rejects.toMatchObject(unreadable);
  });

  it('may be a list of pick lines that name their job', async () => {
    const { warehouse } = await openWarehouse({ api: () => ({ body: [{ jobId: 7, sku: 'TEA' }] }) });
    await expect(warehouse.getPickList('7', never)).resolves.toContain('TEA');
  });
});

describe('the charset of an answer', () => {
  const text = JSON.stringify({ ...order, referenceNum: 'Müller' });
  const ask = async (type: string, body: Buffer) => {
    const reply = { headers: { 'content-type': type }, body };
    return (await getOrder(reply)).snapshot.referenceNumber;
  };

  it.each([
    ['application/json', Buffer.from(text)],
    ['application/json', Buffer.from(`\ufeff${text}`)],
    ['application/json; charset=ISO-8859-1', Buffer.from(text, 'latin1')],
    ['application/hal+json;charset="windows-1252"', Buffer.from(text, 'latin1')],
    ['application/json; odata=x; Charset=Latin1', Buffer.from(text, 'latin1')],
    ['application/json; charset=utf-16le', Buffer.from(text, 'utf16le')],
  ])('is read as it is said: %s', async (type, body) => {
    await expect(ask(type, body)).resolves.toBe('Müller');
  });

  it.each([
    ['application/json; charset=utf-8', Buffer.from(text, 'latin1'), 'with bytes that are not utf-8'],
    ['application/json', Buffer.from(text, 'latin1'), 'with bytes that are not utf-8'],
    ['application/json; charset=shift_jis', Buffer.from('{"x":"\xfd"}', 'latin1'), 'with bytes that are not shift_jis'],
    ['application/json; charset=klingon', Buffer.from(text), 'with bytes that are not klingon'],
  ])('is an outage where its bytes are not in it: %s', async (type, body, why) => {
    await expect(ask(type, body)).rejects.toMatchObject({ ...unreadable, message: expect.stringContaining(why) });
  });
});

it('a missing stock summary is missing only if all pages were seen', async () => {
  const summaries = [{ facilityId: 12, itemIdentifier: { id: 8 }, onHand: 1 }];
  const stock = { tenant: '9104', kind: 'stock', id: '12.7.' } as const;
  const ask = async (totalResults: number) => {
    const { warehouse } = await openWarehouse({ api: () => ({ body: { totalResults, summaries } }) });
    return await warehouse.getSubject(stock, never);
  };
  await expect(ask(1)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_NOT_FOUND' });
  await expect(ask(900)).rejects.toMatchObject(unreadable);
});

it('levels keep their amounts however many digits the warehouse writes', async () => {
  const body =
    '{"totalResults":1,"summaries":[{"facilityId":12,"itemIdentifier":{"id":7},"onHand":12.50,"available":3.0}]}';
  const { warehouse } = await openWarehouse({ api: () => ({ body }) });
  const found = await warehouse.getSubject({ tenant: '9104', kind: 'stock', id: '12.7.' }, never);
  expect(found.snapshot.levels).toEqual({ onHand: 12.5, available: 3 });
  expect(found.body).toContain('"onHand":12.50');
});

describe('a compressed answer that nobody asked for', () => {
  const serve = async (coding: string, bytes: Buffer) => {
    const server = createServer((request, response) => {
      const isToken = request.method === 'POST';
      response.setHeader('content-type', 'application/json');
      if (isToken) return response.end('{"access_token":"t","expires_in":3600}');
      expect(request.headers['accept-encoding']).toBe('identity');
      return response.setHeader('content-encoding', coding).end(bytes);
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const { warehouse } = await openWarehouse({}, { baseUrl: url, authUrl: url });
    return await warehouse.getOrder('31004581', never);
  };
  const text = JSON.stringify(order);

  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('with %s is decompressed', async (coding, bytes) => {
    expect((await serve(coding, bytes)).body).toBe(text);
  });

  it.each([
    ['gzip', gzipSync(text).subarray(0, 20)],
    ['br', Buffer.from(text)],
    ['gzip', gzipSync(Buffer.alloc(33 * 1024 * 1024, 0x20))],
    ['gzip, br', gzipSync(text)],
    ['toString', Buffer.from(text)],
  ])('with %s, broken, huge or unknown, is unreadable and says so', async (coding, bytes) => {
    await expect(serve(coding, bytes)).rejects.toMatchObject({
      ...unreadable,
      message: expect.stringContaining('compressed'),
    });
  });
});

it('a redirect to another host takes no token there', async () => {
  const elsewhere = await openWarehouse();
  const reply = { status: 302, headers: { location: `${elsewhere.url}/orders/31004581` } };
  await expect(getOrder(reply)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_FAILED' });
  expect(elsewhere.gets()).toEqual([]);
});
