import type { PathName } from '../../src/domain/catalogue/operation.ts';
import { createElsewhere, type Elsewhere } from './api/elsewhere.ts';
import { createFaultInjector, type Faults } from './api/faults.ts';
import { createLiar, type Liar } from './api/lies.ts';
import { createTokens } from './api/tokens.ts';
import { createWithheld, type Withheld } from './api/withheld.ts';
import { buildApp } from './app.ts';
import { createManners, type Manners } from './manners.ts';
import { createStream } from './random.ts';
import { openTenant, type SharedOptions, type Tenant, type TenantOptions } from './tenant.ts';
import { createSender, createSigningKey, type SenderCounts } from './webhooks/sender.ts';

export interface SimulatorOptions extends SharedOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Only tenant. Default: 9104. */
  readonly tplId?: number;
  /** Several tenants, which share nothing but the seed and the first ids. */
  readonly tenants?: readonly TenantOptions[];
  /** Time between two attempts of a delivery, in milliseconds; 15 minutes in reality. Default: 1000. */
  readonly retryIntervalMs?: number;
  /** Time within which a destination must answer a delivery, in milliseconds. Default: 3000, as in reality. */
  readonly answerWithinMs?: number;
  /** Default: 1800. */
  readonly tokenLifetimeSeconds?: number;
  /** Default: none. */
  readonly faults?: Partial<Faults>;
  /** Default: the plainest. */
  readonly manners?: Partial<Manners>;
}

/** Counts of all tenants together. */
interface SimulatorCounts extends SenderCounts {
  /** Requests by operation. */
  readonly calls: Readonly<Record<string, number>>;
  /** Lies told, by name. */
  readonly lies: ReturnType<Liar['counts']>;
  /** Requests that followed a redirect, and those of them that brought a token. */
  readonly elsewhere: ReturnType<Elsewhere['counts']>;
}

/** Running warehouse. As a tenant, it is its first one. */
export interface Simulator extends Tenant {
  readonly baseUrl: string;
  /** Same as `baseUrl`. */
  readonly authUrl: string;
  /** Returns the tenant with that `tplId`. Throws if there is none. */
  tenant(tplId: number): Tenant;
  counts(): SimulatorCounts;
  /** Returns the current faults. */
  faults(): Faults;
  /** Returns the current manners. */
  manners(): Manners;
  setFaults(faults: Partial<Faults>): void;
  setManners(manners: Partial<Manners>): void;
  /** Signs with a new key from now on. */
  rotateKey(): void;
  /** Invalidates every issued token. */
  revokeTokens(): void;
  /** Reports whether some GET of a path was refused, failed or lied about. */
  readonly isWithheld: Withheld['isWithheld'];
  /** Reports whether a client may have left an operation alone at a time, because it failed. */
  readonly wasFailing: Withheld['wasFailing'];
  close(): Promise<void>;
}

/** Starts a simulated warehouse. Rejects if two tenants have the same `tplId`, or if there is no tenant. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { seed, port, tokenLifetimeSeconds = 1800, retryIntervalMs = 1000, answerWithinMs } = options;
  const { tplId = 9104, tenants: settings = [{ tplId }] } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const key = createSigningKey();
  const sender = createSender({ sign: key.sign, retryIntervalMs, answerWithinMs, signal });
  const manners = createManners(options.manners);
  const parts = { sender, manners, signal };
  const tenants = new Map(settings.map((own) => [own.tplId, openTenant(own, options, parts)]));
  if (tenants.size === 0 || tenants.size < settings.length) throw new Error('Each tenant needs a tplId of its own');
  const tokens = createTokens([...tenants.values()], tokenLifetimeSeconds, manners);
  const faults = createFaultInjector(createStream(seed, 'faults'), options.faults);
  const calls: { [P in PathName]?: number } = {};
  const count = (path: PathName) => {
    calls[path] = (calls[path] ?? 0) + 1;
  };
  const [first = Number.NaN] = tenants.keys();
  const tenant = (tplId = first) => {
    const found = tenants.get(tplId)?.tenant;
    if (!found) throw new Error(`No tenant ${tplId} in the simulator`);
    return found;
  };
  const elsewhere = createElsewhere();
  const liar = createLiar({ stream: createStream(seed, 'lies'), faults, elsewhere });
  const withheld = createWithheld();
  const counts = () => ({
    ...sender.counts(),
    calls: { ...calls },
    lies: liar.counts(),
    elsewhere: elsewhere.counts(),
  });
  const app = buildApp({ tenants, tokens, faults, manners, liar, withheld, count, signal, key, tenant, counts });
  const baseUrl = await app.listen({ host: '127.0.0.1', port });
  return {
    ...tenant(),
    baseUrl,
    authUrl: baseUrl,
    tenant,
    counts,
    faults: faults.current,
    manners: manners.current,
    setFaults: faults.set,
    setManners: manners.set,
    rotateKey: key.rotate,
    revokeTokens: tokens.revokeAll,
    isWithheld: withheld.isWithheld,
    wasFailing: withheld.wasFailing,
    close: async () => {
      closing.abort();
      await sender.close();
      await app.close();
      await elsewhere.close();
    },
  };
}
