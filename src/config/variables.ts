import { z } from 'zod';
import { findEntry, normalizeName } from '../domain/catalogue/catalogue.ts';
import { itemSections, orderSections, receiptSections } from '../domain/catalogue/sections.ts';
import { codecKeys } from './codec-keys.ts';
import * as forms from './tenants/forms.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const milliseconds = z.coerce.number().int().nonnegative();
const count = z.coerce.number().int().positive();
const days = z.coerce.number().positive();
/** Of one exchange, in milliseconds; several of them have to fit into one attempt of an activity. */
const timeout = count.max(30_000);
const rate = z.coerce.number().min(0).max(1);
const { text, address, list } = forms;

/** What tenants show to the servers that are for them. */
const ownToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, printable and without spaces');

/** Where web pages come from, as a browser says it. */
const origins = list.pipe(
  z.array(z.string().regex(/^https?:\/\/[^/\s]+$/, 'must be of the form http://host:port, without a path')),
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
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a postgres:// address; unset, SQLite under DATA_FOLDER is used',
    })
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('warn'),

  TEMPORAL_ADDRESS: text.optional(),
  TEMPORAL_NAMESPACE: text.default('default'),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w.+-]{1,100}$/, 'must be of letters, digits, dots, hyphens, underscores and plus signs')
    .optional(),
  TEMPORAL_CACHED_WORKFLOWS: z.coerce.number().int().min(2).default(600),
  TEMPORAL_ACTIVITIES: z.enum(['inline', 'regular']).optional(),
  TEMPORAL_CODEC_KEYS: codecKeys.optional(),

  WAREHOUSES_FILE: text.optional(),
  WAREHOUSE_TENANT: forms.tenant.optional(),
  WAREHOUSE_BASE_URL: address.optional(),
  WAREHOUSE_AUTH_URL: address.optional(),
  WAREHOUSE_CLIENT_ID: text.optional(),
  WAREHOUSE_CLIENT_SECRET: text.optional(),
  WAREHOUSE_USER_LOGIN: text.optional(),
  WAREHOUSE_CREDENTIAL: forms.credential.optional(),
  WAREHOUSE_TPL: forms.tpl.optional(),
  WAREHOUSE_ORDER_DETAIL: listOf(orderSections).default(['orderItems', 'savedElements']),
  WAREHOUSE_ITEM_DETAIL: listOf(itemSections).default([]),
  WAREHOUSE_RECEIPT_DETAIL: listOf(receiptSections).default(['ReceiveItems']),
  WAREHOUSE_TIMEOUT_MS: timeout.default(10_000),
  WAREHOUSE_CALLS_PER_SECOND: forms.callsPerSecond.default(5),
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
  WEBHOOK_VERIFY: forms.verify.default('rsa-sha256'),
  WEBHOOK_TOKEN: forms.verificationSecrets.optional(),
  WEBHOOK_SECRET: forms.verificationSecrets.optional(),
  WEBHOOK_SIGNATURE_HEADER: forms.headerName.optional(),
  WEBHOOK_SIGNATURE_ENCODING: forms.signatureEncoding.default('hex'),
  WEBHOOK_SIGNATURE_PREFIX: forms.signaturePrefix.optional(),
  WEBHOOK_TIMESTAMP_TOLERANCE_MS: forms.tolerance.default(300_000),
  WEBHOOK_USER: forms.basicUser.optional(),
  WEBHOOK_PASSWORD: forms.verificationSecrets.optional(),
  WEBHOOK_ACCEPT_UNVERIFIED: z.enum(['yes', 'no']).default('no'),
  WEBHOOK_EVENT_ALIASES: eventAliases,
  WEBHOOK_BODY_LIMIT_BYTES: count.default(4_194_304),
  WEBHOOK_REQUESTS_PER_MINUTE: count.default(60_000),
  INBOX_LIMIT: count.default(1_000_000),
  REDISPATCH_AFTER_MS: count.default(15_000),
  SHUTDOWN_DELAY_MS: milliseconds.default(0),

  RETAIN_BODIES_DAYS: days.default(7),
  RETAIN_EVENTS_DAYS: days.default(14),
  RETAIN_KEYS_DAYS: days.default(30),
  RETAIN_QUARANTINE_DAYS: days.default(90),
  RETAIN_ANNOUNCEMENTS_DAYS: days.default(30),

  GRACE_PERIOD_MS: milliseconds.default(86_400_000),
  SIGNALS_PER_RUN: count.max(9000).default(2000),
  ORDER_STAGE_LIMITS: stageLimits,

  RECONCILE_EVERY_MS: milliseconds
    .refine((every) => every === 0 || every >= 1000, 'must be 0 or at least 1000')
    .default(3_600_000),
  RECONCILE_KINDS: listOf(['order', 'receipt', 'adjustment', 'assembly']).default(['order', 'receipt']),
  RECONCILE_LOOKBACK_MS: milliseconds.default(604_800_000),
  RECONCILE_OVERLAP_MS: milliseconds.default(86_400_000),
  RECONCILE_GRACE_MS: milliseconds.default(600_000),
  RECONCILE_PAGE_SIZE: count.max(1000).default(200),

  ANNOUNCE_URL: address.optional(),
  ANNOUNCE_SECRET: forms.announceSecret.optional(),
  ANNOUNCE_TIMEOUT_MS: timeout.default(10_000),
  ANNOUNCE_FOR_MS: count.default(259_200_000),
  ANNOUNCE_ALLOWED_ADDRESSES: list.prefault(''),
  ANNOUNCE_PORT: port.default(8090),

  ADMIN_HOST: text.default('127.0.0.1'),
  ADMIN_PORT: port.default(3001),
  ADMIN_TOKEN: ownToken.optional(),
  ADMIN_URL: address.optional(),

  CODEC_HOST: text.default('127.0.0.1'),
  CODEC_PORT: port.optional(),
  CODEC_TOKEN: ownToken.optional(),
  CODEC_ORIGINS: origins.optional(),

  SIMULATOR_SEED: z.coerce.number().int().default(1),
  SIMULATOR_DUPLICATE_RATE: rate.default(0.1),
  SIMULATOR_REORDER_RATE: rate.default(0.1),
  SIMULATOR_LATE_RATE: rate.default(0),
  SIMULATOR_DROP_RATE: rate.default(0),
} as const;

export const schema = z.object(variables);

/** The variables, parsed: what `variables` says of each name. */
export type Variables = Readonly<z.infer<typeof schema>>;
