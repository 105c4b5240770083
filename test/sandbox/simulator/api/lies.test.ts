import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { Faults } from '../../../../sandbox/simulator/api/faults.ts';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import { get, newToken, openSimulator, requestToken } from '../open.ts';

/** Starts a simulator with the given lies and returns a GET of raw bytes, with one token. */
async function open(faults: Partial<Faults>) {
  const simulator = await openSimulator();
  const token = await newToken(simulator);
  simulator.setFaults(faults);
  const get = async (path: string) => {
    const headers = { accept: 'application/hal+json', authorization: `Bearer ${token}` };
    const { statusCode: status, headers: answered, body } = await request(simulator.baseUrl + path, { headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    return { status, headers: answered, bytes, text: bytes.toString(), json: () => JSON.parse(bytes.toString()) };
  };
  return { simulator, get };
}

type Get = Awaited<ReturnType<typeof open>>['get'];

/** Creates two of every kind of record and returns the paths of one of each, with its id within the answer. */
async function createRecords(simulator: Simulator) {
  for (const kind of ['order', 'receipt', 'adjustment', 'assembly', 'item'] as const) simulator.create(kind);
  const order = simulator.createOrder();
  await simulator.emit(order, 'OrderPickJobDone');
  await simulator.emit(simulator.createOrder(), 'OrderPickJobDone');
  const id = (kind: 'receipt' | 'adjustment' | 'assembly') => simulator.create(kind);
  const item = simulator.create('item', { customerId: 418 });
  const [line] = simulator.orderItemIds(order);
  const jobOf = simulator.history(order).at(-1)?.state as { pickJobs: readonly { id: number }[] };
  const records: readonly (readonly [path: string, id: string, name: string])[] = [
    [`/orders/${order}`, order, 'readOnly.orderId'],
    [`/order/${order}`, order, 'readOnly.orderId'],
    [`/orders/${order}/items/${line}`, String(line), 'readOnly.orderItemId'],
    [`/orders/pickjobs/${jobOf.pickJobs[0]?.id}/picklist`, String(jobOf.pickJobs[0]?.id), 'readOnly.pickJobId'],
    ['/customers/419', '419', 'readOnly.customerId'],
    ['/uiproperties/users/2109', '2109', 'id'],
    [`/customers/418/items/${item}`, item, 'itemId'],
  ];
  const movements = [
    ['receivers', id('receipt'), 'readOnly.receiverId'],
    ['adjustments', id('adjustment'), 'readOnly.adjustmentId'],
    ['assemblies', id('assembly'), 'readOnly.assemblyId'],
  ] as const;
  return [...records, ...movements.map(([path, own, name]) => [`/inventory/${path}/${own}`, own, name] as const)];
}

const memberAt = (value: unknown, path: string) =>
  path.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown>)?.[name], value);

const customer = '/customers/418';

describe('a warehouse that lies', () => {
  it('answers another record of the same kind', async () => {
    const { simulator, get } = await open({});
    const records = await createRecords(simulator);
    for (const [path, id, name] of records) {
      simulator.setFaults({ wrongRecord: 0 });
      expect(String(memberAt((await get(path)).json(), name)), path).toBe(id);
      simulator.setFaults({ wrongRecord: 1 });
      const { status, json } = await get(path);
      const other = memberAt(json(), name);
      expect([status, other], path).toEqual([200, expect.any(Number)]);
      expect(String(other), path).not.toBe(id);
    }
  });

  it.each<[keyof Faults, (told: Awaited<ReturnType<Get>>, truth: Buffer) => boolean]>([
    ['errorIn200', ({ status, text }) => status === 200 && text === '{"Message":"An error has occurred."}'],
    ['maintenancePage', ({ status, headers }) => status === 200 && /^text\/html/.test(`${headers['content-type']}`)],
    ['unaskedGzip', ({ bytes }, truth) => gunzipSync(bytes).equals(truth)],
    [
      'cutShort',
      ({ headers, bytes }, { length }) => Number(headers['content-length']) < length && bytes.length < length,
    ],
    ['partial', ({ status, bytes }, truth) => status === 206 && bytes.length < truth.length],
    ['retryAfterZero', ({ status, headers }) => status === 503 && headers['retry-after'] === '0'],
  ])('tells the lie %s', async (lie, isTold) => {
    const { simulator, get } = await open({});
    const { bytes: truth } = await get(customer);
    simulator.setFaults({ [lie]: 1 });
    expect(isTold(await get(customer), truth)).toBe(true);
  });

  it('redirects to another port, and knows who brings a token there', async () => {
    const { simulator, get } = await open({ redirects: 1 });
    const { status, headers } = await get(customer);
    expect([status, headers.location]).toEqual([
      302,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/customers\/418$/),
    ]);
    expect(new URL(String(headers.location)).port).not.toBe(new URL(simulator.baseUrl).port);
    await fetch(String(headers.location));
    await fetch(String(headers.location), { headers: { authorization: 'Bearer x' } });
    expect(simulator.counts().elsewhere).toEqual({ requests: 2, authorized: 1 });
  });

  it('gives an error for a token, or a token that no header can carry', async () => {
    const { simulator } = await open({ tokenErrorIn200: 1 });
    const failed = await requestToken(simulator);
    expect([failed.status, await failed.json()]).toEqual([200, { error: 'temporarily_unavailable' }]);
    simulator.setFaults({ tokenErrorIn200: 0, tokenUnusable: 1 });
    const answer = (await (await requestToken(simulator)).json()) as { access_token: string };
    expect(() => new Headers({ authorization: `Bearer ${answer.access_token}` })).toThrow();
  });

  it('of one token for a credential answers 401 to the one before', async () => {
    const simulator = await openSimulator({ manners: { oneToken: true } });
    const statusOf = async (token: string) =>
      (await request(simulator.baseUrl + customer, { headers: { authorization: `Bearer ${token}` } })).statusCode;
    const first = await newToken(simulator);
    const second = await newToken(simulator);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    simulator.setFaults({ tokenTaken: 1 });
    expect(await statusOf(second)).toBe(401);
  });

  it('lies at its rates, each lie in turn, never twice in a row about one path, and keeps count', async () => {
    const { simulator, get } = await open({ errorIn200: 0.1, cutShort: 0.1, partial: 0.1 });
    const answers: boolean[] = [];
    for (let call = 0; call < 100; call += 1) {
      const { status, text } = await get(customer);
      answers.push(status === 200 && text.startsWith('{"readOnly"') && text.endsWith('}'));
    }
    const { lies } = simulator.counts();
    expect(answers.filter((isTrue) => !isTrue)).toHaveLength(Object.values(lies).reduce((sum, told) => sum + told));
    for (const told of [lies.errorIn200, lies.cutShort, lies.partial])
      expect(Math.abs((told ?? 0) - 8)).toBeLessThan(4);
    expect(answers.some((isTrue, index) => !isTrue && answers[index + 1] === false)).toBe(false);
  });

  it('knows of which paths some GET was not answered truly', async () => {
    const { simulator, get } = await open({ forbidden: ['getUser'] });
    await get('/uiproperties/users/2108');
    await get('/customers/419');
    simulator.setFaults({ errorIn200: 1 });
    await get(customer);
    const paths = ['/uiproperties/users/2108', customer, '/customers/419'];
    expect(paths.map(simulator.isWithheld)).toEqual([true, true, false]);
    expect(simulator.wasFailing('getCustomer', Date.now())).toBe(false);
    await get('/customers/420');
    expect(simulator.wasFailing('getCustomer', Date.now())).toBe(true);
    expect(simulator.wasFailing('getUser', Date.now())).toBe(false);
  });

  it('has a first order that is too large for most, and a second that is too large for some', async () => {
    const simulator = await openSimulator({ manners: { largeRecord: true } });
    const token = await newToken(simulator);
    const sizes: number[] = [];
    for (const id of [simulator.createOrder(), simulator.createOrder(), simulator.createOrder()]) {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/hal+json' };
      const text = await (await fetch(`${simulator.baseUrl}/orders/${id}`, { headers })).text();
      expect(JSON.parse(text).readOnly.orderId).toBe(Number(id));
      sizes.push(text.length);
      if (sizes.length === 1) expect(JSON.parse(text).savedElements.length * 3).toBeGreaterThan(300_000);
    }
    const [first = 0, second = 0, third = 0] = sizes;
    expect(first).toBeLessThan(32_000_000);
    expect(second).toBeGreaterThan(64_000);
    expect(second).toBeLessThan(200_000);
    expect(third).toBeLessThan(4_000);
    simulator.setFaults({ wrongRecord: 1 });
    const [, wanted] = simulator.truth();
    expect((await get(simulator, `/orders/${wanted?.id}`)).text.length).toBeLessThan(4_000);
  });
});
