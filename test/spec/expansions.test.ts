import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createWarehouse } from '../../src/warehouse/warehouse.ts';
import { get, openSimulator } from '../sandbox/simulator/open.ts';
import { variablesOf } from '../support/warehouse-variables.ts';
import { standardOptions } from '../warehouse/open-warehouse.ts';
import { specifiedExpansions } from './expansions.ts';

const never = new AbortController().signal;

type Expansion = (typeof specifiedExpansions)[number];

/** The variables that ask for a section. A line's sections are set as an order's `Itemdetail` has them. */
function variablesFor([resource, parameter, value]: Expansion): Record<string, string> {
  if (resource === 'Receipt') return { WAREHOUSE_RECEIPT_DETAIL: value };
  if (resource === 'Order item') return { WAREHOUSE_ITEM_DETAIL: value.replace(/^./, (first) => first.toLowerCase()) };
  return parameter === 'detail'
    ? { WAREHOUSE_ORDER_DETAIL: value }
    : { WAREHOUSE_ORDER_DETAIL: 'orderItems', WAREHOUSE_ITEM_DETAIL: value };
}

/** The client that variables describe, and the paths that it asks for. */
async function openClient(simulator: Awaited<ReturnType<typeof openSimulator>>, variables: Record<string, string>) {
  const [tenant] = loadConfig({
    ...variablesOf(simulator),
    ...variables,
  }).tenants;
  if (!tenant) throw new Error('The variables describe no tenant');
  const paths: string[] = [];
  const note = (message: unknown) => {
    const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
    if (request.method === 'GET') paths.push(request.path);
  };
  subscribe('undici:request:create', note);
  const { callsPerSecond } = standardOptions;
  const warehouse = createWarehouse({ ...standardOptions, ...tenant, callsPerSecond });
  onTestFinished(async () => {
    unsubscribe('undici:request:create', note);
    await warehouse.close();
  });
  return { warehouse, paths };
}

/** Place of each section in the simulator's resources; the specification does not show it. */
const fields: Readonly<Record<string, string>> = {
  savedelements: 'savedElements',
  packages: 'packages',
  contacts: 'shipTo',
  billingdetails: 'billing',
  outboundserialnumbers: 'outboundSerialNumbers',
  smallparcel: 'routingInfo',
  parceloptions: 'parcelOption',
  orderitems: 'http://api.3plCentral.com/rels/orders/item',
  receiveitems: 'http://api.3plCentral.com/rels/inventory/receiveitem',
  allocations: 'allocations',
  allocationswithdetail: 'detail',
};

describe('an optional section', () => {
  it.each(specifiedExpansions)(
    '%s: %s=%s is asked for as it is written, and its section comes',
    async (resource, parameter, value) => {
      const simulator = await openSimulator();
      const id = simulator.create(resource === 'Receipt' ? 'receipt' : 'order');
      if (resource !== 'Receipt') await simulator.emit(id, 'OrderFullyAllocated');
      const expansion = [resource, parameter, value] as Expansion;
      const { warehouse, paths } = await openClient(simulator, variablesFor(expansion));
      const [line = ''] = resource === 'Order item' ? simulator.orderItemIds(id) : [];
      const kind = resource === 'Receipt' ? 'receipt' : 'order';
      const body = line
        ? await warehouse.getOrderItem(id, line, never)
        : (await warehouse.getSubject({ tenant: '9104', kind, id }, never)).body;

      const query = parameter === 'detail' ? `detail=${value}` : `detail=orderItems&Itemdetail=${value}`;
      const [path = ''] = paths;
      expect(paths).toEqual([expect.stringMatching(new RegExp(`^[^?]+[?]${query}$`))]);
      const section = `"${fields[value.toLowerCase()]}":`;
      expect(body).toContain(section);
      const without = path.replace(/&Itemdetail=.*|[?]detail=[^&]*$/, '');
      expect((await get(simulator, without)).text).not.toContain(section);
    },
  );
});
