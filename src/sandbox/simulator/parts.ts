import { createCredentials } from './api/credential.ts';
import { createFaultInjector } from './api/faults.ts';
import { createCallCounter } from './api/operations.ts';
import { createTokens } from './api/tokens.ts';
import { createStream } from './random.ts';
import type { SimulatorOptions, TenantOptions } from './simulator.ts';
import { createNumbering } from './state/numbering.ts';
import { createTenant, type Tenant } from './tenant.ts';
import { createLocalTime, UTC_OFFSET_MINUTES } from './time-format.ts';
import { createWarehouse, type Warehouse } from './warehouse.ts';
import { capturedForm } from './webhooks/message.ts';
import { createSender, type Sender } from './webhooks/sender.ts';
import { createSigningKey } from './webhooks/signing-key.ts';

/** What a simulator is made of, wired together. */
export type Parts = ReturnType<typeof openParts>;

/** Makes the parts of a simulator; `closing` ends whatever they have under way. Throws for tenants that are not each another. */
export function openParts(options: SimulatorOptions) {
  const { seed, tokenLifetimeSeconds: lifetimeSeconds = 1800, retryIntervalMs = 1000 } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const key = createSigningKey();
  const sender = createSender({ sign: key.sign, retryIntervalMs, signal });
  const tenancies = openTenancies(options, { sender, signal });
  return {
    closing,
    signal,
    key,
    sender,
    tenancies,
    calls: createCallCounter(),
    faults: createFaultInjector(createStream(seed, 'faults'), options.faults),
    tokens: createTokens({ tenancies: [...tenancies.values()], lifetimeSeconds }),
  };
}

/** What the simulator keeps for one tenant, apart from all others. */
export interface Tenancy {
  readonly tplId: number;
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly warehouse: Warehouse;
  readonly tenant: Tenant;
}

interface Shared {
  readonly sender: Sender;
  readonly signal: AbortSignal;
}

/** By `tplId`, in the order in which they are given. */
function openTenancies(options: SimulatorOptions, shared: Shared): ReadonlyMap<number, Tenancy> {
  const { tenants = [{ tplId: options.tplId ?? 9104 }] } = options;
  const tenancies = new Map(tenants.map((one) => [one.tplId, openTenancy(one, options, shared)] as const));
  if (tenancies.size === 0 || tenancies.size < tenants.length) throw new Error('Tenants need a tplId each');
  return tenancies;
}

function openTenancy(one: TenantOptions, options: SimulatorOptions, { sender, signal }: Shared): Tenancy {
  const { seed, rates, pace: paceMs = 200, utcOffsetMinutes = UTC_OFFSET_MINUTES } = options;
  const { firstId = 30_000_000 + 10_000 * createStream(seed, 'ids').between(0, 6_000) } = options;
  const { tplId } = one;
  const credentials = createCredentials(seed, one);
  const warehouse = createWarehouse({
    seed,
    tplId,
    numbering: createNumbering(firstId),
    localTime: createLocalTime(one.utcOffsetMinutes ?? utcOffsetMinutes),
    sender,
    form: { ...capturedForm, ...options.form },
  });
  const allRates = { duplicate: 0, reorder: 0, late: 0, drop: 0, ...rates };
  const tenant = createTenant({ tplId, credentials, warehouse, signal, seed, rates: allRates, paceMs });
  return { tplId, credentials, warehouse, tenant };
}
