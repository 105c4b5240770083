import { buildApp } from './app.ts';
import { openParts, type Parts } from './parts.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';

/** Starts a simulated warehouse that listens when the promise resolves. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const parts = openParts(options);
  const simulator = toSimulator(parts);
  const app = buildApp({ ...parts, simulator });
  const { host = '127.0.0.1', port } = options;
  const baseUrl = await app.listen({ host, port });
  return {
    ...simulator,
    baseUrl,
    authUrl: baseUrl,
    close: async () => {
      parts.closing.abort();
      await parts.sender.close();
      await app.close();
    },
  };
}

function toSimulator(parts: Parts): Omit<Simulator, 'baseUrl' | 'authUrl' | 'close'> {
  const tenant = (tplId: number) => {
    const found = parts.tenancies.get(tplId)?.tenant;
    if (!found) throw new Error(`No tenant ${tplId} in the simulator`);
    return found;
  };
  const [first = Number.NaN] = parts.tenancies.keys();
  return {
    ...tenant(first),
    tenant,
    counts: () => ({ ...parts.sender.counts(), calls: parts.calls.counts() }),
    setFaults: parts.faults.set,
    rotateKey: parts.key.rotate,
    revokeTokens: parts.tokens.revokeAll,
  };
}
