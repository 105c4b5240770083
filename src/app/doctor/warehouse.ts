import { readerOf } from '../../base/json.ts';
import { DAY_MS } from '../../base/moment.ts';
import { words } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { type PathName, roleOf } from '../../domain/catalogue/operation.ts';
import { recordName, retrievalOf, type SweptKind, sweptKinds } from '../../domain/catalogue/subject.ts';
import { DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import { kinds, mainKind } from '../../domain/kinds/kinds.ts';
import { stockId } from '../../domain/kinds/stock/summary.ts';
import { fetchPublicKey } from '../../ingress/verification/public-key-source.ts';
import { createTokens, tokenUrl } from '../../warehouse/client/token.ts';
import { createTransport } from '../../warehouse/client/transport.ts';
import type { RetrievedSubject } from '../../warehouse/gets.ts';
import { createWarehouse } from '../../warehouse/warehouse.ts';
import { type Check, type Checking, checksOf, type Finding } from './check.ts';

/** Of a GET. */
const TIMEOUT_MS = 8000;

/** Of the tenant's rate: a Dockline that runs has the rest. */
const RATE_SHARE = 0.5;

interface Examined {
  readonly check: Checking;
  readonly client: ReturnType<typeof createWarehouse>;
  readonly tenant: string;
  readonly signal: AbortSignal;
}

export const checkToken = (tenant: TenantSettings, proxies: Config, timeoutMs = TIMEOUT_MS): Promise<Check> => {
  const { authUrl, paths, id } = tenant;
  return checksOf(`warehouse ${id}`)(`token of ${tokenUrl(authUrl, paths.token)}`, async () => {
    const send = createTransport({ proxies, timeoutMs, baseUrl: authUrl });
    const token = createTokens({ ...tenant, tokenPath: paths.token, send }).current(new AbortController().signal);
    return await token.then(
      (): Finding => ['ok', 'was issued'],
      (error): Finding => ['failed', messageOf(error), TOKEN_ADVICE],
    );
  });
};

const TOKEN_ADVICE =
  'Compare it with what the warehouse gave you: WAREHOUSE_AUTH_URL is a base address, to which /AuthServer/api/Token is added. HTTPS_PROXY is for where only a proxy may connect.';

/** The token, and a GET of each operation with ids that lists and an order name. */
export async function checkWarehouse(
  tenant: TenantSettings,
  proxies: Config,
  timeoutMs = TIMEOUT_MS,
): Promise<readonly Check[]> {
  const { id, callsPerSecond } = tenant;
  const check = checksOf(`warehouse ${id}`);
  const { signal } = new AbortController();
  const token = await checkToken(tenant, proxies, timeoutMs);
  if (token.verdict === 'failed') return [token];
  const options = { ...tenant, proxies, timeoutMs, callsPerSecond: callsPerSecond * RATE_SHARE };
  await using opened = new AsyncDisposableStack();
  const client = opened.adopt(createWarehouse(options), (it) => it.close());
  const examined = { check, client, tenant: id, signal };
  const checked = await Promise.all(
    sweptKinds.map((kind) => (kind === mainKind ? checkOrders(examined) : checkListed(examined, kind))),
  );
  return [token, ...checked.flatMap(({ checks }) => checks)];
}

/** Ahead of the clocks of every time zone. */
const AHEAD_MS = 3 * DAY_MS;

type Listed = RetrievedSubject & { readonly id: string };

/** The first row as reconciliation lists it, and its record. */
async function checkListed({ check, client, tenant, signal }: Examined, kind: SweptKind) {
  const [listing, own] = [kinds[kind].listing.operation, retrievalOf[kind]];
  let id: string | undefined;
  let record: Listed | undefined;
  const list = await check(roleOf(listing), () =>
    orExplain(listing, async () => {
      const { rows } = await client.list({ kind, after: '', pageSize: 1, since: 0 }, signal);
      id = rows[0]?.id;
      // Nothing has changed after that time: any row shows that the filter is ignored, and fails the call.
      await client.list({ kind, after: '', pageSize: 1, since: Date.now() + AHEAD_MS }, signal);
      return ['ok', 'was answered'];
    }),
  );
  const got = await check(roleOf(own), () =>
    orExplain(own, async () => {
      if (id === undefined) return ['skipped', `no ${words(kind)} is known`];
      record = { id, ...(await client.getSubject({ tenant, kind, id }, signal)) };
      return ['ok', `${recordName({ kind, id })} was answered`];
    }),
  );
  return { checks: [list, got], record: record as Listed | undefined };
}

async function checkOrders(examined: Examined) {
  const { check, client, tenant, signal } = examined;
  const { checks, record } = await checkListed(examined, mainKind);
  const { customerId, facilityId, pickJobId }: Partial<Listed['snapshot']> = record?.snapshot ?? {};
  const { lineId, itemId } = record ? await findLine(examined, record.id) : {};
  const stock = facilityId && itemId && stockId({ facilityId, itemId, qualifier: '' });
  const why = record ? `order ${record.id} names none` : 'no order was read';

  const get = (operation: PathName, id: string | undefined, read: (id: string) => Promise<unknown>) =>
    check(roleOf(operation), () =>
      orExplain(operation, async () => {
        if (!id) return ['skipped', why];
        await read(id);
        return ['ok', `${id} was answered`];
      }),
    );

  const others = await Promise.all([
    get('getOrdersItem', lineId, (id) => client.getOrderItem(record?.id ?? '', id, signal)),
    get('getOrdersPicklist', pickJobId, (id) => client.getPickList(id, signal)),
    get('getUser', record?.lastModifiedBy, (id) => client.getUser(id, signal)),
    get('getCustomer', customerId, (id) => client.getCustomer(id, signal)),
    get('getItem', customerId && itemId, (id) =>
      client.getSubject({ tenant, kind: 'item', id, customerId: customerId ?? '' }, signal),
    ),
    get('getStockSummaries', stock, (id) =>
      client.getSubject({ tenant, kind: 'stock', id }, signal).catch(acceptNoRow),
    ),
  ]);
  return { checks: [...checks, ...others] };
}

/** Empty if that fails: the order itself was read. */
async function findLine({ client, signal }: Examined, orderId: string) {
  const lines = await client.getOrderItems(orderId, signal).catch(() => new Map<string, string>());
  const [[lineId, line = '{}'] = []] = lines;
  const itemId = readerOf(JSON.parse(line))('itemidentifier', 'id');
  return { lineId, itemId: itemId === undefined ? undefined : String(itemId) };
}

/** Without a row the operation is allowed. */
function acceptNoRow(error: unknown): void {
  const isAnswered = error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_NOT_FOUND' && !error.status;
  if (!isAnswered) throw error;
}

const fatal: readonly (FailureCode | undefined)[] = ['ERR_WAREHOUSE_UNREACHABLE', 'ERR_WAREHOUSE_TOKEN'];

/** Without an operation something is left out, without orders everything. */
async function orExplain(operation: PathName, find: () => Promise<Finding>): Promise<Finding> {
  try {
    return await find();
  } catch (error) {
    const code = error instanceof DocklineError ? error.code : undefined;
    const verdict = operation === 'getOrder' || fatal.includes(code) ? 'failed' : 'warning';
    return [verdict, messageOf(error), adviceFor(operation, code)];
  }
}

function adviceFor(operation: PathName, code: FailureCode | undefined): string | undefined {
  const role = roleOf(operation);
  if (code === 'ERR_WAREHOUSE_FORBIDDEN') return `Ask the warehouse for a role that allows "${role}".`;
  if (code === 'ERR_WAREHOUSE_NOT_FOUND')
    return `The path may be another one in this warehouse: ask for that of "${role}", and set it in WAREHOUSE_PATHS (${operation}=…).`;
  return code && advice[code];
}

const advice: { readonly [Code in FailureCode]?: string } = {
  ERR_WAREHOUSE_UNREACHABLE:
    'Compare the address with what the warehouse gave you, and check that this machine may connect to it (DNS, firewall; HTTPS_PROXY if only a proxy may).',
  ERR_WAREHOUSE_TOKEN:
    'The token was issued, and is not accepted: WAREHOUSE_BASE_URL and WAREHOUSE_AUTH_URL may belong to different systems.',
  ERR_WAREHOUSE_RATE_LIMITED:
    'Something else uses up the rate of this credential: lower WAREHOUSE_CALLS_PER_SECOND, or ask for more.',
  ERR_WAREHOUSE_UNREADABLE:
    'If a record has its own id under another name in this warehouse, set that in WAREHOUSE_PROPERTIES.',
};

export async function checkWebhook(
  { id, webhook, baseUrl, paths }: TenantSettings,
  proxies: Config,
): Promise<readonly Check[]> {
  const isFetched = webhook.verify === 'rsa-sha256' && !webhook.publicKey;
  const key = await checksOf(`webhook ${id}`)(`public key at ${paths.webhookKey}`, async () => {
    if (!isFetched) return ['skipped', `${webhook.verify}: only a delivery shows whether its sender is verified`];
    return await fetchPublicKey({ baseUrl, keyPath: paths.webhookKey, proxies }).then(
      ({ asymmetricKeyDetails: details }): Finding => ['ok', `RSA with ${details?.modulusLength} bits`],
      (error): Finding => ['failed', messageOf(error), NO_KEY],
    );
  });
  return [key];
}

const NO_KEY =
  'Without the key no delivery can be verified, and each is answered 503. Compare WAREHOUSE_BASE_URL, and webhookKey in WAREHOUSE_PATHS if it is set, with what the warehouse gave you.';
