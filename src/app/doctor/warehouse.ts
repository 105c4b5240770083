import { readerOf } from '../../base/json.ts';
import { words } from '../../base/text.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { type PathName, resultsOf, roleOf } from '../../domain/catalogue/operation.ts';
import {
  collectionOf,
  kindOf,
  recordName,
  retrievalOf,
  type SweptKind,
  subjectKinds,
  sweptKinds,
} from '../../domain/catalogue/subject.ts';
import { DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import { kinds, mainKind } from '../../domain/kinds/kinds.ts';
import { stockId } from '../../domain/kinds/stock/summary.ts';
import type { Proxies } from '../../http/proxies.ts';
import { fetchPublicKey } from '../../ingress/verification/public-key-source.ts';
import type { ApiOptions } from '../../warehouse/client/api.ts';
import { createTokens, tokenUrl } from '../../warehouse/client/token.ts';
import { createTransport } from '../../warehouse/client/transport.ts';
import type { RetrievedSubject } from '../../warehouse/gets.ts';
import type { createWarehouse } from '../../warehouse/warehouse.ts';
import { type Attempt, type Finding, failed, ok, type Reporter, warning } from './check.ts';

function lossOf(operation: PathName): string {
  const { several, part } = resultsOf(operation);
  if (part) return `announcements come without the ${part}`;
  const listed = sweptKinds.find((kind) => kinds[kind].listing.operation === operation);
  if (listed)
    return `reconciliation cannot compare ${words(collectionOf[listed])}, and this check knows no ${words(listed)} to ask for`;
  const isShown = subjectKinds.some((kind) => retrievalOf[kind] === operation && kindOf(kind).isShown);
  return isShown
    ? `${several} is announced as its webhooks report it`
    : `${several} cannot be announced with their record`;
}

const tryOperation = <T>(
  reporter: Reporter,
  operation: PathName,
  tried: string,
  get: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<T | undefined> =>
  reporter.check(roleOf(operation), tried, (signal) => get(signal).catch((error) => explainRefusal(operation, error)));

const ESSENTIAL: PathName = 'getOrder';

const general: { readonly [Code in FailureCode]?: string } = {
  ERR_WAREHOUSE_UNREACHABLE:
    'Compare WAREHOUSE_BASE_URL with what the warehouse gave you, and check that this machine may connect to it (DNS, firewall; HTTPS_PROXY if only a proxy may).',
  ERR_WAREHOUSE_TOKEN:
    'The API does not accept the token that the token server issued: WAREHOUSE_BASE_URL and WAREHOUSE_AUTH_URL may belong to different systems.',
};

function explainRefusal(operation: PathName, error: unknown): Finding {
  const found = messageOf(error);
  const code = error instanceof DocklineError ? error.code : undefined;
  const advice = code && general[code];
  if (advice) return failed(found, advice);
  const without = `Without it, ${lossOf(operation)}.`;
  return (operation === ESSENTIAL ? failed : warning)(found, `${adviceFor(operation, code)} ${without}`);
}

function adviceFor(operation: PathName, code: FailureCode | undefined): string {
  const role = roleOf(operation);
  switch (code) {
    case 'ERR_WAREHOUSE_FORBIDDEN':
      return `Ask the warehouse for a role that allows "${role}".`;
    case 'ERR_WAREHOUSE_NOT_FOUND':
      return `The path may be another one in this warehouse: ask for that of "${role}", and set it in WAREHOUSE_PATHS (${operation}=…).`;
    case 'ERR_WAREHOUSE_RATE_LIMITED':
      return 'Something else uses up the rate of this credential: lower WAREHOUSE_CALLS_PER_SECOND, or ask for more.';
    case 'ERR_WAREHOUSE_REFUSED':
    case 'ERR_WAREHOUSE_UNFILTERED':
      return `The warehouse does not take the query of "${role}".`;
    case 'ERR_WAREHOUSE_UNREADABLE':
      return `The answer does not prove to be what "${role}" was asked for. If a record has its own id under another name in this warehouse, set that in WAREHOUSE_PROPERTIES.`;
    default:
      return `Try again; if it stays so, ask the warehouse about "${role}".`;
  }
}

async function checkToken(
  { check }: Reporter,
  tenant: TenantSettings,
  options: Pick<ApiOptions, 'timeoutMs' | 'proxies'>,
): Promise<boolean> {
  const { authUrl, paths } = tenant;
  const hasToken = await check<boolean>('token', `POST ${tokenUrl(authUrl, paths.token)}`, async (signal) => {
    try {
      const send = createTransport({ ...options, baseUrl: authUrl });
      await createTokens({ ...tenant, tokenPath: paths.token, send }).current(signal);
      return ok('was issued', true);
    } catch (error) {
      const { code } = error as DocklineError;
      return failed(messageOf(error), advice[code] ?? 'Try again; if it stays so, ask the warehouse.');
    }
  });
  return hasToken ?? false;
}

const advice: { readonly [Code in FailureCode]?: string } = {
  ERR_WAREHOUSE_UNAUTHENTICATED: 'Compare the setting that is named with what the warehouse gave you.',
  ERR_WAREHOUSE_TOKEN:
    'Compare WAREHOUSE_AUTH_URL with what the warehouse gave you: a base address, to which /AuthServer/api/Token is added. Check that this machine may connect to it (DNS, firewall; HTTPS_PROXY if only a proxy may).',
};

export type WarehouseClient = ReturnType<typeof createWarehouse>;

interface Context {
  readonly reporter: Reporter;
  readonly client: WarehouseClient;
  readonly tenant: string;
}

export async function checkWarehouse(
  reporter: Reporter,
  tenant: TenantSettings,
  { client, ...options }: Pick<ApiOptions, 'timeoutMs' | 'proxies'> & Pick<Context, 'client'>,
): Promise<void> {
  if (!(await checkToken(reporter, tenant, options)))
    return reporter.skip('operations', 'a GET of each operation', 'there is no token');
  const context: Context = { reporter, client, tenant: tenant.id };
  const others = sweptKinds.filter((kind) => kind !== mainKind);
  await Promise.all([checkOrders(context), ...others.map((kind) => checkListed(context, kind))]);
}

/** Ahead of the clocks of every time zone. */
const AHEAD_MS = 3 * 86_400_000;

type Listed = RetrievedSubject & { readonly id: string };

/** Lists one row as reconciliation does, and returns its record. */
async function checkListed({ reporter, client, tenant }: Context, kind: SweptKind): Promise<Listed | undefined> {
  const { operation } = kinds[kind].listing;
  const list = "the first row, with reconciliation's filter";
  const id = await tryOperation(reporter, operation, list, async (signal) => {
    const query = { kind, page: 1, pageSize: 1 };
    const { rows } = await client.list({ ...query, since: 0 }, signal);
    // Nothing has changed after that time: any row shows that the filter is ignored.
    const { limitation } = await client.list({ ...query, since: Date.now() + AHEAD_MS }, signal);
    const [first] = rows;
    const found = first ? recordName({ kind, id: first.id }) : 'there is none yet';
    return { ...(limitation === undefined ? ok(found) : warning(found, limitation)), value: first?.id };
  });
  const own = retrievalOf[kind];
  if (id === undefined) return void reporter.skip(roleOf(own), words(kind), `no ${words(kind)} is known`);
  const name = recordName({ kind, id });
  const found = await tryOperation(reporter, own, name, async (signal) =>
    ok('was answered', await client.getSubject({ tenant, kind, id }, signal)),
  );
  return found && { id, ...found };
}

async function checkOrders(context: Context): Promise<void> {
  const { client, tenant, reporter } = context;
  const order = await checkListed(context, mainKind);
  const { customerId, facilityId, pickJobId }: Partial<Listed['snapshot']> = order?.snapshot ?? {};
  const { lineId, itemId } = order ? await findLine(client, order.id) : {};
  const why = order ? `order ${order.id} names none` : 'no order was read';

  const look = async (
    operation: PathName,
    what: string,
    id: string | undefined,
    get: (id: string, signal: AbortSignal) => Promise<unknown>,
  ) => {
    if (!id) return reporter.skip(roleOf(operation), what, why);
    await tryOperation(reporter, operation, `${what} ${id}`, async (signal) => {
      await get(id, signal);
      return ok('was answered');
    });
  };
  const stock = facilityId && itemId && stockId({ facilityId, itemId, qualifier: '' });

  await Promise.all([
    look('getOrdersItem', 'line', lineId, (id, signal) => client.getOrderItem(order?.id ?? '', id, signal)),
    look('getOrdersPicklist', 'pick job', pickJobId, (id, signal) => client.getPickList(id, signal)),
    look('getUser', 'user', order?.lastModifiedBy, (id, signal) => client.getUser(id, signal)),
    look('getCustomer', 'customer', customerId, (id, signal) => client.getCustomer(id, signal)),
    look('getItem', 'item', customerId && itemId, (id, signal) =>
      client.getSubject({ tenant, kind: 'item', id, customerId: customerId ?? '' }, signal),
    ),
    look('getStockSummaries', 'stock', stock, (id, signal) =>
      client.getSubject({ tenant, kind: 'stock', id }, signal).catch(acceptNoRow),
    ),
  ]);
}

const LINES_MS = 5000;

/** Empty if that fails: the order itself was read. */
async function findLine(client: WarehouseClient, orderId: string) {
  const lines = await client
    .getOrderItems(orderId, AbortSignal.timeout(LINES_MS))
    .catch(() => new Map<string, string>());
  const [[lineId, line = '{}'] = []] = lines;
  const itemId = readerOf(JSON.parse(line))('itemidentifier', 'id');
  return { lineId, itemId: itemId === undefined ? undefined : String(itemId) };
}

/** Without a row the operation is allowed. */
function acceptNoRow(error: unknown): void {
  const isAnswered = error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_NOT_FOUND' && !error.status;
  if (!isAnswered) throw error;
}

export async function checkWebhook({ check, skip }: Reporter, tenant: TenantSettings, proxies: Proxies): Promise<void> {
  const { webhook, baseUrl, paths } = tenant;
  if (webhook.verify !== 'rsa-sha256' || webhook.publicKey)
    return skip('verification', webhook.verify, 'only a delivery shows whether its sender has what verifies it');
  await check('public key', `GET ${paths.webhookKey} of the warehouse`, () =>
    fetchPublicKey({ baseUrl, keyPath: paths.webhookKey, proxies }).then(
      ({ asymmetricKeyType: type, asymmetricKeyDetails: details }) =>
        ok(`${type?.toUpperCase()} with ${details?.modulusLength} bits`),
      (error) => failed(messageOf(error), NO_KEY),
    ),
  );
}

const NO_KEY =
  'Without the key no delivery can be verified, and each is answered 503. Compare WAREHOUSE_BASE_URL, and webhookKey in WAREHOUSE_PATHS if it is set, with what the warehouse gave you.';
