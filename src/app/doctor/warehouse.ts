import { readerOf } from '../../base/json.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { type PathName, roleOf } from '../../domain/catalogue/operation.ts';
import { type SweptKind, sweptKinds } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { stockId } from '../../domain/kinds/stock/summary.ts';
import type { ApiOptions } from '../../warehouse/client/api.ts';
import type { RetrievedSubject } from '../../warehouse/gets.ts';
import { ok, type Reporter } from './check.ts';
import { type CheckContext, examinePage, findFirst, getListed, tryOperation } from './operations.ts';
import { checkToken } from './token.ts';

const others = sweptKinds.filter((kind) => kind !== mainKind);

/** One GET of each operation, with ids that lists show. */
export async function checkWarehouse(
  reporter: Reporter,
  tenant: TenantSettings,
  { client, ...options }: Pick<ApiOptions, 'timeoutMs' | 'proxies'> & Pick<CheckContext, 'client'>,
): Promise<void> {
  if (!(await checkToken(reporter, tenant, options)))
    return reporter.skip('operations', 'a GET of each operation', 'there is no token');
  const context: CheckContext = { reporter, client, tenant: tenant.id };
  await Promise.all([checkOrders(context), ...others.map((kind) => checkListed(context, kind))]);
}

async function checkListed(context: CheckContext, kind: SweptKind): Promise<Listed | undefined> {
  const id = await findFirst(context, kind);
  const found = await getListed(context, kind, id);
  if (!found || id === undefined) return undefined;
  await examinePage(context, kind, id);
  return { id, ...found };
}

type Listed = RetrievedSubject & { readonly id: string };

/** Ids of the first listed order. */
async function checkOrders(context: CheckContext): Promise<void> {
  const order = await checkListed(context, mainKind);
  const ids: Ids = order
    ? { ...order.snapshot, userId: order.lastModifiedBy, orderId: order.id, ...(await findLine(context, order.id)) }
    : {};
  const why = order ? `order ${order.id} names none` : 'no order was read';
  await Promise.all(lookups.map((lookup) => tryLookup(context, lookup, ids, why)));
}

interface Ids {
  readonly orderId?: string;
  readonly lineId?: string | undefined;
  readonly itemId?: string | undefined;
  readonly customerId?: string;
  readonly facilityId?: string;
  readonly pickJobId?: string;
  readonly userId?: string | undefined;
}

interface Lookup {
  readonly operation: PathName;
  readonly what: string;
  readonly idIn: (ids: Ids) => string | undefined;
  readonly get: (context: CheckContext, id: string, ids: Ids, signal: AbortSignal) => Promise<unknown>;
}

const lookups: readonly Lookup[] = [
  {
    operation: 'getOrdersItem',
    what: 'line',
    idIn: ({ lineId }) => lineId,
    get: ({ client }, id, { orderId = '' }, signal) => client.getOrderItem(orderId, id, signal),
  },
  {
    operation: 'getOrdersPicklist',
    what: 'pick job',
    idIn: ({ pickJobId }) => pickJobId,
    get: ({ client }, id, _, signal) => client.getPickList(id, signal),
  },
  {
    operation: 'getUser',
    what: 'user',
    idIn: ({ userId }) => userId,
    get: ({ client }, id, _, signal) => client.getUser(id, signal),
  },
  {
    operation: 'getCustomer',
    what: 'customer',
    idIn: ({ customerId }) => customerId,
    get: ({ client }, id, _, signal) => client.getCustomer(id, signal),
  },
  {
    operation: 'getItem',
    what: 'item',
    idIn: ({ customerId, itemId }) => customerId && itemId,
    get: ({ client, tenant }, id, { customerId = '' }, signal) =>
      client.getSubject({ tenant, kind: 'item', id, customerId }, signal),
  },
  {
    operation: 'getStockSummaries',
    what: 'stock',
    idIn: ({ facilityId, itemId }) => facilityId && itemId && stockId({ facilityId, itemId, qualifier: '' }),
    get: ({ client, tenant }, id, _, signal) =>
      client.getSubject({ tenant, kind: 'stock', id }, signal).catch(acceptNoRow),
  },
];

async function tryLookup(
  context: CheckContext,
  { operation, what, idIn, get }: Lookup,
  ids: Ids,
  why: string,
): Promise<void> {
  const id = idIn(ids);
  if (id === undefined) return context.reporter.skip(roleOf(operation), what, why);
  await tryOperation(context, operation, `${what} ${id}`, async (signal) => {
    await get(context, id, ids, signal);
    return ok('was answered');
  });
}

/** Empty if that fails: the order itself was read. */
async function findLine({ client }: CheckContext, orderId: string): Promise<Pick<Ids, 'lineId' | 'itemId'>> {
  const lines = await client
    .getOrderItems(orderId, AbortSignal.timeout(LINES_MS))
    .catch(() => new Map<string, string>());
  const [[lineId, line = '{}'] = []] = lines;
  const itemId = readerOf(JSON.parse(line))('itemidentifier', 'id');
  return { lineId, itemId: itemId === undefined ? undefined : String(itemId) };
}

const LINES_MS = 5000;

/** Without a row the operation is allowed. */
function acceptNoRow(error: unknown): void {
  const isAnswered = error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_NOT_FOUND' && !error.status;
  if (!isAnswered) throw error;
}
