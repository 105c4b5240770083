import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { createWarehouse } from '../../warehouse/warehouse.ts';
import type { Examiner } from './check.ts';
import { visitOrders } from './orders.ts';
import { checkToken } from './token.ts';
import { findFirst, getListed, type Visit } from './visit.ts';

/** Share of the tenant's rate that the checks use, since a running Dockline may use the same credential. */
const RATE_SHARE = 0.5;

/** Checks the credential of a tenant, and one GET of each operation, with ids that lists show. */
export async function checkWarehouse(examiner: Examiner, tenant: TenantSettings, timeoutMs: number): Promise<void> {
  if (!(await checkToken(examiner, tenant, timeoutMs)))
    return examiner.skip('operations', 'a GET of each operation', 'there is no token');
  const { access, detail, conventions, id } = tenant;
  const callsPerSecond = tenant.callsPerSecond * RATE_SHARE;
  const client = createWarehouse({ ...access, ...detail, ...conventions, callsPerSecond, timeoutMs });
  const visit: Visit = { examiner, client, tenant: id ?? '' };
  try {
    await Promise.all([visitOrders(visit), ...others.map((other) => visitOther(visit, other))]);
  } finally {
    await client.close();
  }
}

const others = [
  { kind: 'receipt', list: 'Get Receivers', get: 'Get Receiver' },
  { kind: 'adjustment', list: 'Get Adjustments', get: 'Get Adjustment' },
  { kind: 'assembly', list: 'Get Assemblies', get: 'Get Assembly' },
] as const;

async function visitOther(visit: Visit, { kind, list, get }: (typeof others)[number]): Promise<void> {
  await getListed(visit, get, kind, await findFirst(visit, list, kind));
}
