import { createCredentials } from './credential.ts';
import { createFaultInjector } from './faults.ts';
import { capturedForm } from './message.ts';
import { createNumbering } from './numbering.ts';
import { createCallCounter } from './operations.ts';
import { createStream } from './random.ts';
import { createSender } from './sender.ts';
import { createSigningKey } from './signing-key.ts';
import type { SimulatorOptions } from './simulator.ts';
import { createTokens } from './tokens.ts';
import { createWarehouse } from './warehouse.ts';

/** What a simulator is made of, wired together. */
export type Parts = ReturnType<typeof openParts>;

/** Makes the parts of a simulator; `closing` ends whatever they have under way. */
export function openParts(options: SimulatorOptions) {
  const { seed, tplId = 9104, tokenLifetimeSeconds = 1800, retryIntervalMs = 1000 } = options;
  const { firstId = 30_000_000 + 10_000 * createStream(seed, 'ids').between(0, 6_000) } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const key = createSigningKey();
  const credentials = createCredentials(seed);
  const sender = createSender({ sign: key.sign, retryIntervalMs, signal });
  return {
    closing,
    signal,
    key,
    credentials,
    sender,
    calls: createCallCounter(),
    faults: createFaultInjector(createStream(seed, 'faults'), options.faults),
    tokens: createTokens({ credentials: Object.values(credentials), lifetimeSeconds: tokenLifetimeSeconds }),
    warehouse: createWarehouse({
      seed,
      tplId,
      numbering: createNumbering(firstId),
      sender,
      form: { ...capturedForm, ...options.form },
    }),
  };
}
