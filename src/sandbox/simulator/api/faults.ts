import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Stream } from '../random.ts';
import { type ApiOperation, apiOperations } from './operations.ts';
import { unauthenticated, VendorError } from './vendor-error.ts';

const rate = z.number().min(0).max(1);

const faultsSchema = z.strictObject({
  /** How long every answer takes longer, in milliseconds. */
  latencyMs: z.number().int().nonnegative(),
  rateLimitRate: rate,
  /** What a 429 says in `Retry-After`; null leaves the header out. */
  retryAfterSeconds: z.number().int().nonnegative().nullable(),
  errorRate: rate,
  /** Answers 503 to everything. */
  down: z.boolean(),
  /** Answers 401 to everything, whatever token it carries. */
  unauthenticated: z.boolean(),
  /** What the role of every credential lacks. */
  forbidden: z.array(z.enum(apiOperations)).readonly(),
  /** Filters of listings are not applied, without a word. */
  ignoreRql: z.boolean(),
  /** The token endpoint suffers the same. */
  tokenToo: z.boolean(),
});

/** What may go wrong with the API. */
export type Faults = Readonly<z.infer<typeof faultsSchema>>;

/** The faults of a warehouse that works, which `set` changes one by one. */
export interface FaultInjector {
  /** Takes a part of the faults; throws a ZodError for one out of its range. */
  set(changes: object): void;
  current(): Faults;
  /** Waits, and throws the VendorError of a fault that strikes. */
  strike(signal: AbortSignal): Promise<void>;
  forbids(operation: ApiOperation): boolean;
}

const none: Faults = {
  latencyMs: 0,
  rateLimitRate: 0,
  retryAfterSeconds: 1,
  errorRate: 0,
  down: false,
  unauthenticated: false,
  forbidden: [],
  ignoreRql: false,
  tokenToo: false,
};

/** Starts with the given faults; the stream decides whom they strike. */
export function createFaultInjector(stream: Stream, initial: Partial<Faults> = {}): FaultInjector {
  let faults: Faults = none;
  const set = (changes: object) => {
    faults = faultsSchema.parse({ ...faults, ...changes });
  };
  set(initial);
  return {
    set,
    current: () => faults,
    strike: async (signal) => {
      if (faults.latencyMs > 0) await sleep(faults.latencyMs, undefined, { signal });
      if (faults.down) throw new VendorError(503, 'Service Unavailable');
      if (faults.unauthenticated) throw unauthenticated('Authorization has been denied for this request.');
      if (stream.chance(faults.rateLimitRate)) throw rateLimited(faults);
      if (stream.chance(faults.errorRate)) throw new VendorError(500, 'Internal Server Error');
    },
    forbids: (operation) => faults.forbidden.includes(operation),
  };
}

function rateLimited({ retryAfterSeconds }: Faults): VendorError {
  const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new VendorError(429, { Message: 'Too many requests' }, headers);
}
