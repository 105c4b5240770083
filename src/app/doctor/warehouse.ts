import { readerOf } from '../../base/json.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { stockId } from '../../domain/catalogue/stock.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { ApiOptions } from '../../warehouse/client/api.ts';
import { createWarehouse } from '../../warehouse/warehouse.ts';
import { ok, type Reporter } from './check.ts';
import {
  type CheckContext,
  examinePage,
  findFirst,
  getListed,
  type OperationName,
  tryOperation,
} from './operations.ts';
import { checkToken } from './token.ts';

/** Share of the tenant's rate that the checks use where they cannot share that of a running Dockline. */
const RATE_SHARE = 0.5;

/** Checks the credential of a tenant, and one GET of each operation, with ids that lists show. */
export async function checkWarehouse(
  reporter: Reporter,
  tenant: TenantSettings,
  options: Pick<ApiOptions, 'timeoutMs' | 'proxies' | 'pace'>,
): Promise<void> {
  if (!(await checkToken(reporter, tenant, options)))
    return reporter.skip('operations', 'a GET of each operation', 'there is no token');
  const callsPerSecond = tenant.callsPerSecond * RATE_SHARE;
  const client = createWarehouse({
    ...tenant,
    ...options,
    callsPerSecond,
    priority: 'sweep',
  });
  const context: CheckContext = { reporter, client, tenant: tenant.id ?? '' };
  try {
    await Promise.all([checkOrders(context), ...others.map((other) => checkOther(context, other))]);
  } finally {
    await client.close();
  }
}

const others = [
  { kind: 'receipt', list: 'Get Receivers', get: 'Get Receiver' },
  { kind: 'adjustment', list: 'Get Adjustments', get: 'Get Adjustment' },
  { kind: 'assembly', list: 'Get Assemblies', get: 'Get Assembly' },
] as const;

async function checkOther(context: CheckContext, { kind, list, get }: (typeof others)[number]): Promise<void> {
  const id = await findFirst(context, list, kind);
  if (await getListed(context, get, kind, id)) await examinePage(context, list, kind, id);
}

/** Makes one GET of each operation that concerns orders: the first order that is listed names the others' ids. */
async function checkOrders(context: CheckContext): Promise<void> {
  const orderId = await findFirst(context, 'Get Orders', 'order');
  const order = await getListed(context, 'Get Order', 'order', orderId);
  if (order) await examinePage(context, 'Get Orders', 'order', orderId);
  const ids: Ids = {
    ...(order && { ...order.snapshot, userId: order.lastModifiedBy }),
    ...(order && orderId && { orderId, ...(await findLine(context, orderId)) }),
  };
  const why = order ? `order ${orderId} names none` : 'no order was read';
  await Promise.all(lookups.map((lookup) => tryLookup(context, lookup, ids, why)));
}

/** Ids that an order and its first line name. */
interface Ids {
  readonly orderId?: string;
  readonly lineId?: string | undefined;
  readonly itemId?: string | undefined;
  readonly customerId?: string;
  readonly facilityId?: string;
  readonly pickJobId?: string;
  readonly userId?: string | undefined;
}

/** Operation whose id an order names. */
interface Lookup {
  readonly name: OperationName;
  readonly what: string;
  readonly idIn: (ids: Ids) => string | undefined;
  readonly get: (context: CheckContext, id: string, ids: Ids, signal: AbortSignal) => Promise<unknown>;
}

const lookups: readonly Lookup[] = [
  {
    name: 'Get Orders Item',
    what: 'line',
    idIn: ({ lineId }) => lineId,
    get: ({ client }, id, { orderId = '' }, signal) => client.getOrderItem(orderId, id, signal),
  },
  {
    name: 'Get Orders Picklist',
    what: 'pick job',
    idIn: ({ pickJobId }) => pickJobId,
    get: ({ client }, id, _, signal) => client.getPickList(id, signal),
  },
  {
    name: 'Get User',
    what: 'user',
    idIn: ({ userId }) => userId,
    get: ({ client }, id, _, signal) => client.getUser(id, signal),
  },
  {
    name: 'Get Customer',
    what: 'customer',
    idIn: ({ customerId }) => customerId,
    get: ({ client }, id, _, signal) => client.getCustomer(id, signal),
  },
  {
    name: 'Get Item',
    what: 'item',
    idIn: ({ customerId, itemId }) => customerId && itemId,
    get: ({ client, tenant }, id, { customerId = '' }, signal) =>
      client.getSubject({ tenant, kind: 'item', id, customerId }, signal),
  },
  {
    name: 'Get Stock Summaries',
    what: 'stock',
    idIn: ({ facilityId, itemId }) => facilityId && itemId && stockId({ facilityId, itemId, qualifier: '' }),
    get: ({ client, tenant }, id, _, signal) =>
      client.getSubject({ tenant, kind: 'stock', id }, signal).catch(acceptNoRow),
  },
];

async function tryLookup(
  context: CheckContext,
  { name, what, idIn, get }: Lookup,
  ids: Ids,
  why: string,
): Promise<void> {
  const id = idIn(ids);
  if (id === undefined) return context.reporter.skip(name, what, why);
  await tryOperation(context, name, `${what} ${id}`, async (signal) => {
    await get(context, id, ids, signal);
    return ok('was answered');
  });
}

/** Finds the first line of an order and its item; nothing if that fails, as the order itself was read. */
async function findLine({ client }: CheckContext, orderId: string): Promise<Pick<Ids, 'lineId' | 'itemId'>> {
  const lines = await client
    .getOrderItems(orderId, AbortSignal.timeout(LINES_MS))
    .catch(() => new Map<string, string>());
  const [[lineId, line = '{}'] = []] = lines;
  const itemId = readerOf(JSON.parse(line))('itemidentifier', 'id');
  return { lineId, itemId: itemId === undefined ? undefined : String(itemId) };
}

/** Time for the lines, in milliseconds. */
const LINES_MS = 5000;

/** Accepts that the warehouse answered without a row: the operation is allowed. */
function acceptNoRow(error: unknown): void {
  const isAnswered = error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_NOT_FOUND' && !error.status;
  if (!isAnswered) throw error;
}
