import type { PathName } from '../../src/domain/catalogue/operation.ts';
import { createElsewhere } from './api/elsewhere.ts';
import { createFaultInjector, type Faults } from './api/faults.ts';
import { createLiar } from './api/lies.ts';
import { createTokens } from './api/tokens.ts';
import { createWithheld } from './api/withheld.ts';
import { buildApp } from './app.ts';
import { createManners, type Manners } from './manners.ts';
import { createStream } from './random.ts';
import { openTenant, type SharedOptions, type TenantOptions } from './tenant.ts';
import { createSender, createSigningKey } from './webhooks/sender.ts';

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

/** Running warehouse. As a tenant, it is its first one. */
export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts a simulated warehouse. Rejects if two tenants have the same `tplId`, or if there is no tenant. */
export async function startSimulator(options: SimulatorOptions) {
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
  /** Returns the counts of all tenants together. */
  const counts = () => ({
    ...sender.counts(),
    /** Requests by operation. */
    calls: { ...calls } as Readonly<Record<string, number>>,
    /** Lies told, by name. */
    lies: liar.counts(),
    /** Requests that followed a redirect, and those of them that brought a token. */
    elsewhere: elsewhere.counts(),
  });
  const app = buildApp({ tenants, tokens, faults, manners, liar, withheld, count, signal, key, tenant, counts });
  const baseUrl = await app.listen({ host: '127.0.0.1', port });
  return {
    ...tenant(),
    baseUrl,
    /** Same as `baseUrl`. */
    authUrl: baseUrl,
    /** Returns the tenant with that `tplId`. Throws if there is none. */
    tenant: (tplId: number) => tenant(tplId),
    counts,
    faults: faults.current,
    manners: manners.current,
    setFaults: (changes: Partial<Faults>) => faults.set(changes),
    setManners: (changes: Partial<Manners>) => manners.set(changes),
    /** Signs with a new key from now on. */
    rotateKey: key.rotate,
    /** Invalidates every issued token. */
    revokeTokens: tokens.revokeAll,
    /** Reports whether some GET of a path was refused, failed or lied about. */
    isWithheld: withheld.isWithheld,
    /** Reports whether a client may have left an operation alone at a time, because it failed. */
    wasFailing: withheld.wasFailing,
    async close() {
      closing.abort();
      await sender.close();
      await app.close();
      await elsewhere.close();
    },
  };
}
