import { z } from 'zod';
import { findEntry, normalizeName } from './domain/catalogue.ts';
import { itemSections, orderSections, receiptSections } from './domain/sections.ts';

const text = z.string().min(1);
const port = z.coerce.number().int().min(0).max(65_535);
const milliseconds = z.coerce.number().int().nonnegative();
const count = z.coerce.number().int().positive();
/** Of one exchange, in milliseconds; several of them have to fit into one attempt of an activity. */
const timeout = count.max(30_000);
const rate = z.coerce.number().min(0).max(1);
const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });

const list = z.string().transform((items) =>
  items
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const listOf = <const T extends readonly [string, ...string[]]>(values: T) => list.pipe(z.array(z.enum(values)));

/** A list of `key=value`. */
const pairs = (form: RegExp, example: string) =>
  list
    .prefault('')
    .pipe(z.array(z.string().regex(form, `must be of the form ${example}`)))
    .transform((items) =>
      items.map((item) => item.split('=').map((part) => part.trim()) as [key: string, value: string]),
    );

/** Limits in milliseconds by stage, or by customer and stage. */
const stageLimits = pairs(
  /^([\w-]+:)?(created|completed|fullyAllocated|picked|packing|packed)=\d+$/,
  'created=86400000,418:picked=3600000',
).transform((limits) => Object.fromEntries(limits.map(([stage, limit]) => [stage, Number(limit)])));

/** Names that the warehouse uses, for events of the catalogue. */
const eventAliases = pairs(/^[^=]*[A-Za-z0-9][^=]*=[^=]+$/, 'OrderShipped=OrderConfirm')
  .refine((aliases) => aliases.every(([, name]) => findEntry(name)), 'must stand for names of the catalogue')
  .transform((aliases) => Object.fromEntries(aliases.map(([alias, name]) => [normalizeName(alias), name])));

/** Every variable that Dockline reads, with its default. `.env.example` is tested against it. */
export const variables = {
  DATA_FOLDER: text.default('.dockline'),
  DATABASE_URL: z
    .undefined({ error: 'PostgreSQL is not supported yet; leave it unset to use SQLite under DATA_FOLDER' })
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('warn'),

  TEMPORAL_ADDRESS: text.optional(),
  TEMPORAL_NAMESPACE: text.default('default'),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),

  WAREHOUSE_BASE_URL: url.optional(),
  WAREHOUSE_AUTH_URL: url.optional(),
  WAREHOUSE_CLIENT_ID: text.optional(),
  WAREHOUSE_CLIENT_SECRET: text.optional(),
  WAREHOUSE_USER_LOGIN: text.optional(),
  WAREHOUSE_TPL: text.optional(),
  WAREHOUSE_ORDER_DETAIL: listOf(orderSections).default(['orderItems', 'savedElements']),
  WAREHOUSE_ITEM_DETAIL: listOf(itemSections).default([]),
  WAREHOUSE_RECEIPT_DETAIL: listOf(receiptSections).default(['ReceiveItems']),
  WAREHOUSE_TIMEOUT_MS: timeout.default(10_000),
  WAREHOUSE_CALLS_PER_SECOND: z.coerce.number().positive().default(5),
  WAREHOUSE_DIRECTORY_MAX_AGE_MS: milliseconds.default(3_600_000),
  WAREHOUSE_PORT: port.default(8080),

  RETRY_SLOW_MS: milliseconds.default(60_000),
  RETRY_AFTER_CAP_MS: milliseconds.default(600_000),

  WEBHOOK_HOST: text.default('127.0.0.1'),
  WEBHOOK_PORT: port.default(3000),
  WEBHOOK_ENDPOINT: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be of lower-case letters, digits and hyphens')
    .default('warehouse'),
  WEBHOOK_DEFAULT_TENANT: z
    .string()
    .regex(/^[\w-]+$/, 'must be of letters, digits, hyphens and underscores')
    .default('default'),
  WEBHOOK_VERIFY: z.enum(['rsa-sha256', 'token', 'none']).default('rsa-sha256'),
  WEBHOOK_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  WEBHOOK_EVENT_ALIASES: eventAliases,
  WEBHOOK_BODY_LIMIT_BYTES: count.default(4_194_304),
  WEBHOOK_REQUESTS_PER_MINUTE: count.default(60_000),
  INBOX_LIMIT: count.default(1_000_000),

  QUIET_PERIOD_MS: milliseconds.default(86_400_000),
  SIGNALS_PER_RUN: count.max(9000).default(2000),
  ORDER_STAGE_LIMITS: stageLimits,

  ANNOUNCE_URL: url.optional(),
  ANNOUNCE_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64')
    .optional(),
  ANNOUNCE_TIMEOUT_MS: timeout.default(10_000),
  ANNOUNCE_ALLOWED_ADDRESSES: list.prefault(''),
  ANNOUNCE_PORT: port.default(8090),

  SIMULATOR_SEED: z.coerce.number().int().default(1),
  SIMULATOR_DUPLICATE_RATE: rate.default(0.1),
  SIMULATOR_REORDER_RATE: rate.default(0.1),
  SIMULATOR_LATE_RATE: rate.default(0),
  SIMULATOR_DROP_RATE: rate.default(0),
} as const;

/** Which variables one calls for: where the first is set, the others must be. */
const companions: readonly (readonly [set: string, needed: readonly string[]])[] = [
  [
    'WAREHOUSE_BASE_URL',
    ['WAREHOUSE_AUTH_URL', 'WAREHOUSE_CLIENT_ID', 'WAREHOUSE_CLIENT_SECRET', 'WAREHOUSE_USER_LOGIN'],
  ],
  ['ANNOUNCE_URL', ['ANNOUNCE_SECRET']],
  ['WEBHOOK_VERIFY=token', ['WEBHOOK_TOKEN']],
];

/**
 * The environment, parsed: what `variables` says of each name. Absent `TEMPORAL_ADDRESS`, `WAREHOUSE_BASE_URL` or
 * `ANNOUNCE_URL` mean the embedded part.
 */
export type Config = Readonly<z.infer<typeof schema>>;

const schema = z.object(variables);

/**
 * Parses the environment once into a frozen Config. A variable that is set to nothing counts as not set: `.env` files and
 * compose files write it so. Throws one Error whose message names every bad variable and no value.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in variables && value));
  const parsed = schema.safeParse(given);
  const problems = [...(parsed.error?.issues ?? []).map(describe), ...missingCompanions(given)];
  if (parsed.success && problems.length === 0) return Object.freeze(parsed.data);
  throw new Error(['The configuration has errors:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
}

const describe = ({ path, message }: z.core.$ZodIssue): string => `${String(path[0])}: ${message}`;

function missingCompanions(given: Readonly<Record<string, string | undefined>>): string[] {
  return companions.flatMap(([set, needed]) => {
    const [name = '', value] = set.split('=');
    const applies = value === undefined ? given[name] !== undefined : given[name] === value;
    return applies ? needed.filter((other) => !given[other]).map((other) => `${other}: is needed with ${set}`) : [];
  });
}
