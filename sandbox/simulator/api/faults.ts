import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type PathName, standardPaths } from '../../../src/domain/catalogue/operation.ts';
import type { Stream } from '../random.ts';
import { createSettings, describeSettings } from '../settings.ts';
import { unauthenticated, VendorError } from './vendor-error.ts';

const operation = z.enum(Object.keys(standardPaths) as [PathName, ...PathName[]]).exclude(['token', 'webhookKey']);

/** Operation that needs a token and that a role may lack. */
export type ApiOperation = z.infer<typeof operation>;

const byOperation = <T extends z.ZodType>(value: T) => z.partialRecord(operation, value).readonly();

/** Share of requests. */
const rate = z.number().min(0).max(1).default(0);

const faultsSchema = z.strictObject({
  latencyMs: z.number().int().nonnegative().default(0).describe('delay of every answer, in milliseconds'),
  rateLimitRate: rate.describe('share of GETs that are answered with 429'),
  retryAfterSeconds: z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .default(1)
    .describe('Retry-After of a 429; null omits the header'),
  errorRate: rate.describe('share of GETs that are answered with 500'),
  down: z.boolean().default(false).describe('every request is answered with 503'),
  unauthenticated: z.boolean().default(false).describe('every request is answered with 401, whatever its token'),
  forbidden: z
    .array(operation)
    .readonly()
    .default([])
    .describe('operations that the role of every credential lacks: 403'),
  statuses: byOperation(z.number().int().min(400).max(599))
    .default({})
    .describe('statuses that answer every request of an operation, by its name'),
  delaysMs: byOperation(z.number().int().nonnegative())
    .default({})
    .describe('delays of single operations, by their names, in milliseconds'),
  records: z
    .record(z.string(), z.number().int().min(400).max(599))
    .readonly()
    .default({})
    .describe('statuses that answer every GET of a record, by its id'),
  ignoreRql: z.boolean().default(false).describe('listings ignore their filters'),
  listingLagMs: z
    .int()
    .nonnegative()
    .default(0)
    .describe('listings show everything as it was this long ago, as an index that lags does, in milliseconds'),
  listingCap: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('most rows of a page, whatever was asked for; null for those that the API allows'),
  pageTotal: z.boolean().default(false).describe('totalResults of a listing is the number of rows on its page'),
  noRows: z
    .union([z.literal(200), z.literal(204), z.literal(404)])
    .default(200)
    .describe('status of a listing without rows'),
  bareRow: z.boolean().default(false).describe('a list of one row or one line is that row itself'),
  resets: z
    .array(operation)
    .readonly()
    .default([])
    .describe('operations whose requests end with their connection, without an answer'),
  tokenToo: z.boolean().default(false).describe('the faults above are those of the token endpoint, too'),
  wrongRecord: rate.describe('a GET of a record is answered with another record of its kind'),
  errorIn200: rate.describe('a GET is answered with 200 {"Message": "An error has occurred."} and 200 {} in turn'),
  maintenancePage: rate.describe('a GET or a token request is answered with 200 and a page in HTML'),
  unaskedGzip: rate.describe('an answer is coded with gzip, br and deflate in turn, though nobody asked for it'),
  cutShort: rate.describe('an answer ends in the middle, with a content-length that fits'),
  partial: rate.describe('a GET is answered with 206 and half of the record, or the whole, in turn'),
  redirects: rate.describe('a GET is redirected (302) to another port, which counts what comes'),
  retryAfterZero: rate.describe('a GET is answered with 503 and Retry-After: 0, or a date in the past, in turn'),
  tokenTaken: rate.describe("another client asks for a token at a GET, which with oneToken revokes the GET's own"),
  rowsMissing: rate.describe('a listing by ids lacks every third row'),
  rowsRepeated: rate.describe('a listing by ids has every third row twice'),
  rowsReversed: rate.describe('a listing by ids has its rows in the opposite order'),
  rowsOld: rate.describe('a listing by ids has every second row as it was two seconds earlier, or not at all'),
  rowsUnasked: rate.describe('a listing by ids ignores them'),
  tokenErrorIn200: rate.describe('a token request is answered with 200 {"error": "temporarily_unavailable"}'),
  tokenUnusable: rate.describe('a token request is answered with a token that has a newline in it'),
});

/** Faults of the API. */
export type Faults = Readonly<z.infer<typeof faultsSchema>>;

/** Injects faults into the API. */
export type FaultInjector = ReturnType<typeof createFaultInjector>;

/** Creates an injector whose rates the stream decides. */
export function createFaultInjector(stream: Stream, initial: Partial<Faults> = {}) {
  const settings = createSettings(faultsSchema, initial);
  return {
    ...settings,
    /** Delays the request, then throws the VendorError of the fault that applies, if any. */
    async strike(signal: AbortSignal, operation?: ApiOperation, ids: readonly string[] = []) {
      const faults = settings.current();
      const { latencyMs, delaysMs, statuses } = faults;
      const delayMs = latencyMs + ((operation && delaysMs[operation]) ?? 0);
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      const status = operation && statuses[operation];
      if (status === 429) throw rateLimited(faults);
      if (status) throw new VendorError(status, `${operation} is set to answer so`);
      const [failing] = ids.filter((id) => id in faults.records);
      if (failing !== undefined)
        throw new VendorError(faults.records[failing] ?? 500, `${failing} is set to answer so`);
      if (faults.down) throw new VendorError(503, 'Service Unavailable');
      if (faults.unauthenticated) throw unauthenticated('Authorization has been denied for this request.');
      if (stream.chance(faults.rateLimitRate)) throw rateLimited(faults);
      if (stream.chance(faults.errorRate)) throw new VendorError(500, 'Internal Server Error');
    },
  };
}

/** Describes every fault with its default, a line each. */
export const describeFaults = (): string => describeSettings(faultsSchema);

function rateLimited({ retryAfterSeconds }: Faults): VendorError {
  const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new VendorError(429, { Message: 'Too many requests' }, headers);
}
