import { z } from 'zod';
import { createSettings, describeSettings } from './settings.ts';

/** Manners of the simulated warehouse: how a real one has been seen, or may be expected, to differ from the plainest. */
const mannersSchema = z.strictObject({
  spelling: z
    .enum(['name', 'alias', 'label', 'renamed'])
    .default('name')
    .describe(
      'spelling of eventType: the wire name, its first alias, its label ("Create" for several kinds), or an unknown name (OrderCreateV2)',
    ),
  body: z.enum(['object', 'string']).default('object').describe('the resource in a message is JSON or text of JSON'),
  stockRows: z
    .enum(['single', 'array', 'embedded', 'ResourceList'])
    .default('single')
    .describe('a message about stock has its row, or those of all stock of the item in a list of this form'),
  wrapped: z.boolean().default(false).describe('messages are wrapped in {"headers", "body"}'),
  links: z
    .enum(['string', 'object'])
    .default('string')
    .describe('links and data in a message are text of JSON or JSON'),
  refusedProperties: z
    .array(z.string())
    .readonly()
    .default([])
    .describe('properties that filters and sorts may not name, as unknown ones: 400 "Properties not supported"'),
  token: z.enum(['opaque', 'jwt']).default('opaque').describe('a token is opaque, or a JSON Web Token with claims'),
  checksLogin: z.boolean().default(false).describe('a token request with another user login is refused'),
  readLagMs: z
    .int()
    .nonnegative()
    .default(0)
    .describe('GETs and listings show everything as it was this long ago, in milliseconds'),
  omitStatus: z.boolean().default(false).describe('no resource has status or isClosed'),
  bareTransactions: z
    .boolean()
    .default(false)
    .describe(
      'adjustments and assemblies have neither readOnly nor links, and no name that is known from others, not even of their id',
    ),
  packagesFirst: z
    .boolean()
    .default(false)
    .describe('_embedded of an order has the packages before the lines, if both are asked for'),
  unsetDates: z
    .boolean()
    .default(false)
    .describe(
      'dates and flags of what has not happened yet are not left out: 0001-01-01T00:00:00, 1900-01-01T00:00:00, 0, "", "null", "False"',
    ),
  largeRecord: z
    .boolean()
    .default(false)
    .describe('the record of the first order has 450,000 values in 9 MB, that of the second some 100 kB'),
  realGoods: z
    .boolean()
    .default(false)
    .describe(
      'orders have one to forty lines with lots, serial numbers, cases and decimals, and up to six parcels with contents; some ship short, some on two days, some are tracked only after closing; receipts have too few, too many and damaged; records come in several forms',
    ),
  oneToken: z.boolean().default(false).describe('a new token revokes the earlier ones of its credential'),
  unsetEventIds: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('share of messages whose wmsEventId is "0", "-1", -1 or the zero GUID; never of two about one event'),
  overlapping: z
    .boolean()
    .default(false)
    .describe(
      'as if a webhook of customer 418 overlapped with that of any customer: its events come twice, without the resource and with it, in either order',
    ),
  guessedPaths: z.boolean().default(true).describe('adjustments and assemblies are at the paths that Dockline guesses'),
});

/** Manners, each with a value. */
export type Manners = Readonly<z.infer<typeof mannersSchema>>;

/** Holder of the current manners. */
export type MannersHolder = ReturnType<typeof createManners>;

/** Creates a holder; manners that are not given are plain. */
export const createManners = (initial: Partial<Manners> = {}) => createSettings(mannersSchema, initial);

/** Parses manners given as text, such as `wrapped=true`, over those of a base; the others are plain. Throws a ZodError. */
export function parseManners(
  pairs: readonly (readonly [name: string, value: string])[],
  base: Partial<Manners> = {},
): Manners {
  const given = Object.fromEntries(pairs.map(([name, value]) => [name, fromText(value)]));
  return mannersSchema.parse({ ...base, ...given });
}

function fromText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Describes every manner with its default, a line each. */
export const describeManners = (): string => describeSettings(mannersSchema);
