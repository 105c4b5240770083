import { z } from 'zod';
import { kinds, type SettingKey } from '../announcements/kinds.ts';
import { details } from '../domain/detail.ts';
import { openStagesOf } from '../domain/lifecycle/stage.ts';
import type { GivenLimits } from '../domain/lifecycle/stage-limits.ts';
import { LONGEST_TIMER_MS } from '../domain/longest-timer.ts';
import {
  address,
  addressRanges,
  bareAddress,
  directHosts,
  isDistinct,
  list,
  ownToken,
  pairs,
  proxyAddress,
  text,
} from '../forms/forms.ts';
import { count, days, duration, nodeTimer, port, rate, timeout, wholeNumber } from '../forms/numbers.ts';
import { adminTokens } from './admin-tokens.ts';
import { codecKeys } from './codec-keys.ts';
import { eventAliases } from './event-aliases.ts';
import { namesOf, variablesOf } from './setting-variables.ts';
import { accessForms, sharedForms } from './tenants/schema.ts';

/** Scenarios of the simulated warehouse. */
export const scenarioNames = ['everyday', 'first-day', 'quiet-faults'] as const;

/** Origins of web pages, as browsers send them. */
const origins = list.pipe(
  z.array(z.string().regex(/^https?:\/\/[^/\s@]+$/, 'must be of the form http://host:port, without a path')),
);

const listOf = <const T extends readonly [string, ...string[]]>(values: T) => list.pipe(z.array(z.enum(values)));

/** Values that replace standard ones, by their names; the schema of tenants knows them. */
const replacements = (example: string) =>
  pairs(/^[\w.]+\s*=\s*\S+$/, example)
    .refine((given) => isDistinct(given.map(([name]) => name)), 'must set each name once')
    .transform((given) => Object.fromEntries(given));

/** Limits in milliseconds, by stage or by customer and stage; `none` for none, not even the usual ones. */
const stageLimits = pairs(
  new RegExp(`^none$|^([\\w-]+:)?(${openStagesOf('order').join('|')})=\\d+$`),
  'created=86400000,418:picked=3600000, with limits in milliseconds, or none',
)
  .refine((given) => given.length < 2 || given.every(([stage]) => stage !== 'none'), 'must have none alone')
  .refine(
    (limits) => limits.every(([, limit = 0]) => Number(limit) <= LONGEST_TIMER_MS),
    `must have limits of at most ${LONGEST_TIMER_MS}`,
  )
  .transform(
    (limits): GivenLimits =>
      limits[0]?.[0] === 'none' ? 'none' : Object.fromEntries(limits.map(([stage, limit]) => [stage, Number(limit)])),
  );

/** Samplers of traces, by OpenTelemetry's names. */
const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** Address of an OpenTelemetry collector. */
const collector = bareAddress('; OTEL_EXPORTER_OTLP_HEADERS can have an Authorization');

const {
  webhook: _webhook,
  announce: _announce,
  destinations: _destinations,
  deadlines: _deadlines,
  ...settingForms
} = {
  ...accessForms,
  ...sharedForms,
};

/** Variable of each setting of a warehouse, but for those that have variables of their own, or none. */
export const warehouseNames = namesOf('WAREHOUSE', Object.keys(settingForms) as (keyof typeof settingForms)[]);

/** Variable of each setting of a destination. */
export const announceNames = namesOf(
  'ANNOUNCE',
  Object.values(kinds).flatMap(({ forms }) => Object.keys(forms) as SettingKey[]),
);

/** Text of a tenant's setting, which the schema of tenants parses. */
const setting = z.string();

/** Values of `sslmode` in the address of a database; the driver takes any other for verify-full. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

function hasKnownSslMode(url: string): boolean {
  const mode = URL.parse(url)?.searchParams.get('sslmode') ?? null;
  return mode === null || sslModes.includes(mode);
}

/** Variables that Dockline reads, with their defaults. `.env.example` is tested against them. */
export const variables = {
  DATA_FOLDER: text.default('.dockline'),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a postgres:// address; leave it unset for SQLite in DATA_FOLDER',
    })
    .refine(hasKnownSslMode, `may have as sslmode ${sslModes.join(', ')}`)
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('warn'),

  TEMPORAL_ADDRESS: text.optional(),
  TEMPORAL_NAMESPACE: text.default('default'),
  TEMPORAL_PROFILE: setting.optional(),
  TEMPORAL_CONFIG_FILE: setting.optional(),
  // Temporal's own reader takes any other text for "no".
  TEMPORAL_TLS: z.enum(['true', 'false', '1', '0']).optional(),
  TEMPORAL_TLS_SERVER_NAME: setting.optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: setting.optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: setting.optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: setting.optional(),
  TEMPORAL_TLS_CLIENT_CERT_DATA: setting.optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: setting.optional(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: setting.optional(),
  TEMPORAL_API_KEY: setting.optional(),
  TEMPORAL_CREDENTIALS_EVERY_MS: nodeTimer(1).default(30_000),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w.+-]{1,100}$/, 'must be of letters, digits, dots, hyphens, underscores and plus signs')
    .optional(),
  TEMPORAL_CACHED_WORKFLOWS: wholeNumber(2).default(600),
  TEMPORAL_NEXUS: z.enum(['yes', 'no']).default('no'),
  TEMPORAL_ACTIVITIES: z.enum(['inline', 'regular']).optional(),
  TEMPORAL_SEARCH_ATTRIBUTES: z.enum(['all', 'attention', 'none']).default('all'),
  TEMPORAL_CODEC_KEYS: codecKeys.optional(),
  DESTINATION_KEYS: codecKeys.optional(),

  WAREHOUSES_FILE: text.optional(),
  ...variablesOf(warehouseNames, (key) => [settingForms[key]]),
  // What is read beside the setting, or has a form of its own.
  WAREHOUSE_TENANT: setting.optional(),
  WAREHOUSE_ORDER_DETAIL: list.prefault(settingForms.orderDetail.parse(undefined).join()),
  WAREHOUSE_RECEIPT_DETAIL: list.prefault(settingForms.receiptDetail.parse(undefined).join()),
  WAREHOUSE_PATHS: replacements('getUser=/users/{id}'),
  WAREHOUSE_PROPERTIES: replacements('order.changed=readOnly.lastModifiedDate'),
  WAREHOUSE_ALLOW_HTTP: z.enum(['yes', 'no']).default('no'),
  WAREHOUSE_TIMEOUT_MS: timeout.default(10_000),
  WAREHOUSE_PART_TIMEOUT_MS: timeout.default(1500),
  WAREHOUSE_PART_WAIT_MS: duration().default(15_000),
  WAREHOUSE_OUTAGE_MS: duration().default(300_000),
  WAREHOUSE_DIRECTORY_MAX_AGE_MS: duration().default(3_600_000),
  WAREHOUSE_READ_LAG_MS: duration().optional(),
  WAREHOUSE_PORT: port.default(8080),

  HTTP_PROXY: proxyAddress.optional(),
  HTTPS_PROXY: proxyAddress.optional(),
  NO_PROXY: directHosts.prefault(''),

  RETRY_SLOW_MS: duration().default(60_000),
  RETRY_AFTER_CAP_MS: duration().default(600_000),

  WEBHOOK_HOST: text.default('127.0.0.1'),
  WEBHOOK_PORT: port.default(3000),
  WEBHOOK_ENDPOINT: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be of lower-case letters, digits and hyphens')
    .default('warehouse'),
  WEBHOOK_VERIFY: setting.default('rsa-sha256'),
  WEBHOOK_PUBLIC_KEY: list.optional(),
  WEBHOOK_KEY_GRACE_MS: setting.default('21600000'),
  WEBHOOK_KEY_MAX_AGE_MS: setting.default('86400000'),
  WEBHOOK_TOKEN: list.optional(),
  WEBHOOK_SECRET: list.optional(),
  WEBHOOK_SIGNATURE_HEADER: setting.optional(),
  WEBHOOK_SIGNATURE_ENCODING: setting.default('hex'),
  WEBHOOK_SIGNATURE_PREFIX: setting.default(''),
  WEBHOOK_TIMESTAMP_TOLERANCE_MS: setting.default('300000'),
  WEBHOOK_USER: setting.optional(),
  WEBHOOK_PASSWORD: list.optional(),
  WEBHOOK_ACCEPT_UNVERIFIED: z.enum(['yes', 'no']).default('no'),
  WEBHOOK_EVENT_ALIASES: eventAliases,
  WEBHOOK_BODY_LIMIT_BYTES: count.default(4_194_304),
  WEBHOOK_REQUESTS_PER_MINUTE: count.default(60_000),
  WEBHOOK_FAILURES_PER_MINUTE: count.default(600),
  WEBHOOK_TRUSTED_PROXIES: addressRanges(1),
  INBOX_LIMIT: count.default(1_000_000),
  REDISPATCH_AFTER_MS: duration(1).default(15_000),
  SHUTDOWN_DELAY_MS: nodeTimer().default(0),

  RETAIN_BODIES_DAYS: days.default(7),
  RETAIN_EVENTS_DAYS: days.default(14),
  RETAIN_KEYS_DAYS: days.default(30),
  RETAIN_QUARANTINE_DAYS: days.default(90),
  RETAIN_ANNOUNCEMENTS_DAYS: days.default(30),
  RETAIN_RESOURCES_DAYS: days.default(30),
  RETAIN_AUDIT_DAYS: days.default(365),

  GRACE_PERIOD_MS: duration().default(86_400_000),
  SIGNALS_PER_RUN: wholeNumber(1, 9000).default(2000),
  ORDER_STAGE_LIMITS: stageLimits,
  DEADLINES_FILE: text.optional(),

  RECONCILE_EVERY_MS: duration()
    .refine((every) => every === 0 || every >= 1000, 'must be 0 or at least 1000')
    .default(3_600_000),
  RECONCILE_KINDS: listOf(['order', 'receipt', 'adjustment', 'assembly']).default(['order', 'receipt']),
  RECONCILE_LOOKBACK_MS: duration().default(604_800_000),
  RECONCILE_OVERLAP_MS: duration().default(86_400_000),
  RECONCILE_GRACE_MS: duration().default(600_000),
  RECONCILE_PAGE_SIZE: wholeNumber(1, 1000).default(200),

  ...variablesOf(announceNames, (key) =>
    Object.values(kinds).flatMap(({ forms }) => ((forms as z.ZodRawShape)[key] as z.ZodType) ?? []),
  ),
  // What is read beside the setting.
  ANNOUNCE_CLIENT_CERT: setting.optional(),
  ANNOUNCE_DETAIL: z.enum(details).optional(),
  ANNOUNCE_MAX_BYTES: count.optional(),
  ANNOUNCE_TO_SANDBOX: z.enum(['yes', 'no']).default('no'),
  ANNOUNCE_TIMEOUT_MS: timeout.default(10_000),
  ANNOUNCE_FOR_MS: duration(1).default(259_200_000),
  ANNOUNCE_STOP_AFTER_MS: duration(1).optional(),
  ANNOUNCE_ALLOWED_ADDRESSES: addressRanges(0),
  ANNOUNCE_PORT: port.default(8090),

  ADMIN_HOST: text.default('127.0.0.1'),
  ADMIN_PORT: port.default(3001),
  ADMIN_TOKEN: ownToken.optional(),
  ADMIN_TOKENS: adminTokens,
  ADMIN_TRUSTED_PROXIES: addressRanges(1),
  ADMIN_URL: address.optional(),
  BOARD: z.enum(['yes', 'no']).default('yes'),
  TEMPORAL_UI_URL: address.optional(),
  ALERTS_FILE: text.optional(),
  MAILBOX_PORT: port.default(8025),

  METRICS_HOST: text.default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  TEMPORAL_METRICS_PORT: wholeNumber(1, 65_535).optional(),

  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: setting.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: nodeTimer(1).default(2000),
  OTEL_SERVICE_NAME: text.default('dockline'),
  OTEL_RESOURCE_ATTRIBUTES: setting.optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: rate.default(1),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),

  CODEC_HOST: text.default('127.0.0.1'),
  CODEC_PORT: port.optional(),
  CODEC_TOKEN: ownToken.optional(),
  CODEC_ORIGINS: origins.optional(),

  SIMULATOR_SEED: z.coerce.number().int().default(1),
  SIMULATOR_DUPLICATE_RATE: rate.default(0.1),
  SIMULATOR_REORDER_RATE: rate.default(0.1),
  SIMULATOR_LATE_RATE: rate.default(0),
  SIMULATOR_DROP_RATE: rate.default(0),
  SIMULATOR_SCENARIO: z.enum(scenarioNames).default('everyday'),
  SIMULATOR_MANNERS: pairs(/^\w+=.+$/, 'wrapped=true,spelling=label'),
} as const;

/** Schema of the environment. */
export const schema = z.object(variables);

/** Variables, parsed. */
export type Variables = Readonly<z.infer<typeof schema>>;
