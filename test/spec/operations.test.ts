import { describe, expect, it, onTestFinished } from 'vitest';
import { pickJobIdOf } from '../../sandbox/simulator/kinds/order/state.ts';
import { createWarehouse } from '../../src/warehouse/warehouse.ts';
import { openSimulator } from '../sandbox/simulator/open.ts';
import { standardOptions } from '../warehouse/open-warehouse.ts';
import { namedOperations } from './operations.ts';

const never = new AbortController().signal;

/** The client of a simulated warehouse, and one subject there of each kind. */
async function open() {
  const simulator = await openSimulator();
  const warehouse = createWarehouse({
    baseUrl: simulator.baseUrl,
    authUrl: simulator.authUrl,
    ...simulator.credentials,
    ...standardOptions,
  });
  onTestFinished(() => warehouse.close());
  const create = (kind: Parameters<typeof simulator.create>[0]) => simulator.create(kind, { customerId: 418 });
  const order = create('order');
  await simulator.emit(order, 'OrderPickJobUserAssigned');
  const [line = ''] = simulator.orderItemIds(order);
  const getSubject = async (kind: Parameters<typeof create>[0], id: string) =>
    (await warehouse.getSubject({ tenant: '9104', kind, id, customerId: '418' }, never)).body;
  return { simulator, warehouse, order, line, create, getSubject };
}

type Open = Awaited<ReturnType<typeof open>>;

/** Asks for one of each, and says how the answer can be told. */
const asked: Record<(typeof namedOperations)[number], (parts: Open) => Promise<readonly [body: string, of: object]>> = {
  'Get Order': async ({ order, getSubject }) => [
    await getSubject('order', order),
    { readOnly: { orderId: Number(order) } },
  ],
  'Get User': async ({ warehouse }) => [await warehouse.getUser('2108', never), { id: 2108 }],
  'Get Orders Picklist': async ({ warehouse, order }) => [
    await warehouse.getPickList(String(pickJobIdOf(Number(order), 0)), never),
    { lines: expect.arrayContaining([expect.objectContaining({ orderId: Number(order) })]) },
  ],
  'Get Receiver': (parts) => movement(parts, 'receipt', 'receiverId'),
  'Get Adjustment': (parts) => movement(parts, 'adjustment', 'adjustmentId'),
  'Get Assembly': (parts) => movement(parts, 'assembly', 'assemblyId'),
  'Get Orders Item': async ({ warehouse, order, line }) => [
    await warehouse.getOrderItem(order, line, never),
    { readOnly: { orderItemId: Number(line) } },
  ],
  'Get Item': async ({ create, getSubject }) => {
    const id = create('item');
    return [await getSubject('item', id), { itemId: Number(id) }];
  },
  'Get Stock Summaries': async ({ create, getSubject }) => {
    const id = create('stock');
    const [facilityId, itemId] = id.split('.').map(Number);
    return [await getSubject('stock', id), { facilityId, itemIdentifier: { id: itemId } }];
  },
};

async function movement({ create, getSubject }: Open, kind: 'receipt' | 'adjustment' | 'assembly', idName: string) {
  const id = create(kind);
  return [await getSubject(kind, id), { readOnly: { [idName]: Number(id) } }] as const;
}

describe('an operation that is named without its path', () => {
  it.each(namedOperations)('%s returns what the warehouse has, in one call', async (name) => {
    const parts = await open();
    const [body, expected] = await asked[name](parts);
    expect(JSON.parse(body)).toMatchObject(expected);
    const call = name.replaceAll(' ', '').replace(/^G/, 'g');
    expect(parts.simulator.counts().calls).toEqual({ token: 1, [call]: 1 });
  });
});
