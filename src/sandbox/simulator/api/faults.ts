import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type PathName, standardPaths } from '../../../domain/catalogue/paths.ts';
import type { Stream } from '../random.ts';
import { unauthenticated, VendorError } from './vendor-error.ts';

const operation = z.enum(Object.keys(standardPaths) as [PathName, ...PathName[]]).exclude(['token', 'webhookKey']);

/** Operation that needs a token and that a role may lack. */
export type ApiOperation = z.infer<typeof operation>;

const byOperation = <T extends z.ZodType>(value: T) => z.partialRecord(operation, value).readonly();

const rate = z.number().min(0).max(1);

const faultsSchema = z.strictObject({
  /** Delay of every answer, in milliseconds. */
  latencyMs: z.number().int().nonnegative().default(0),
  rateLimitRate: rate.default(0),
  /** `Retry-After` of a 429; null omits the header. */
  retryAfterSeconds: z.number().int().nonnegative().nullable().default(1),
  errorRate: rate.default(0),
  /** Answers every request with 503. */
  down: z.boolean().default(false),
  /** Answers every request with 401, whatever its token. */
  unauthenticated: z.boolean().default(false),
  /** Operations that the role of every credential lacks. */
  forbidden: z.array(operation).readonly().default([]),
  /** Statuses that answer every request of an operation, by its name. */
  statuses: byOperation(z.number().int().min(400).max(599)).default({}),
  /** Delays of single operations, by their names, in milliseconds. */
  delaysMs: byOperation(z.number().int().nonnegative()).default({}),
  /** Ignores the filters of listings. */
  ignoreRql: z.boolean().default(false),
  /** Applies the faults to the token endpoint too. */
  tokenToo: z.boolean().default(false),
});

/** Faults of the API. */
export type Faults = Readonly<z.infer<typeof faultsSchema>>;

/** Injects faults into the API. */
export type FaultInjector = ReturnType<typeof createFaultInjector>;

/** Creates an injector whose rates the stream decides. */
export function createFaultInjector(stream: Stream, initial: Partial<Faults> = {}) {
  let faults = faultsSchema.parse(initial);
  return {
    /** Changes the given faults only. Throws a ZodError for an invalid value. */
    set(changes: object) {
      faults = faultsSchema.parse({ ...faults, ...changes });
    },
    current: () => faults,
    /** Delays the request, then throws the VendorError of the fault that applies, if any. */
    async strike(signal: AbortSignal, operation?: ApiOperation) {
      const { latencyMs, delaysMs, statuses } = faults;
      const delayMs = latencyMs + ((operation && delaysMs[operation]) ?? 0);
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      const status = operation && statuses[operation];
      if (status) throw new VendorError(status, `${operation} is set to answer so`);
      if (faults.down) throw new VendorError(503, 'Service Unavailable');
      if (faults.unauthenticated) throw unauthenticated('Authorization has been denied for this request.');
      if (stream.chance(faults.rateLimitRate)) throw rateLimited(faults);
      if (stream.chance(faults.errorRate)) throw new VendorError(500, 'Internal Server Error');
    },
  };
}

function rateLimited({ retryAfterSeconds }: Faults): VendorError {
  const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new VendorError(429, { Message: 'Too many requests' }, headers);
}
