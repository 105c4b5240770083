import { closestMatch } from 'leven';
import type { z } from 'zod';
import { messageOf } from '../domain/errors.ts';
import { isLoopback } from '../domain/loopback.ts';
import type { CredentialSource } from '../temporal/credentials.ts';
import { findFolderProblem } from './data-folder.ts';
import { isPlainHttp } from './forms.ts';
import { readTemporalAccess, type TemporalAccess } from './temporal.ts';
import { readTenantsFile } from './tenants/file.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { fileDefaults, findProblems, onlyTenant, tenantDefaults } from './tenants/variables.ts';
import { schema, type Variables, variables } from './variables.ts';
import { wordIssue } from './word-issue.ts';

/**
 * Parsed configuration. Without `TEMPORAL_ADDRESS` or `ANNOUNCE_URL` the embedded service is used, and without tenants the
 * simulated warehouse.
 */
export type Config = Variables & {
  /** Tenants of `WAREHOUSES_FILE`, or the one that `WAREHOUSE_` variables describe. */
  readonly tenants: readonly TenantSettings[];
  /** Reads the credentials of the Temporal server, which may change. */
  readonly readTemporalCredentials: CredentialSource['read'];
  /** Sentences about variables that are not known and look like ones that are. */
  readonly misspelt: readonly string[];
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment, and the file that it may name, into a frozen configuration. An empty variable counts as not set, since
 * `.env` and compose files contain such. Throws one Error that names every bad variable, or every bad line of the file, and no value.
 */
export function loadConfig(env: Environment): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in variables && value));
  const parsed = schema.safeParse(given, { error: wordIssue });
  const issues = (parsed.error?.issues ?? []).map(describe);
  const temporal = findTemporal(env);
  const problems = [
    ...[...renamedVariables(env), ...issues, ...findProblems(given), ...contradictions(given)],
    ...('problem' in temporal ? [temporal.problem] : []),
    ...findFolderProblem(given.DATA_FOLDER ?? variables.DATA_FOLDER.parse(undefined)),
  ];
  if (!parsed.success || 'problem' in temporal || problems.length > 0) throw configurationError(problems);
  const tenants = findTenants(parsed.data, env);
  const unsafe = [
    ...unguardedEndpoints(parsed.data, tenants),
    ...plainHttp(parsed.data, tenants),
    ...retentionProblems(parsed.data),
  ];
  if (unsafe.length > 0) throw configurationError(unsafe);
  const { address, namespace = parsed.data.TEMPORAL_NAMESPACE, readCredentials } = temporal;
  return Object.freeze({
    ...{ ...parsed.data, tenants, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    readTemporalCredentials: readCredentials,
    misspelt: findMisspelt(env),
  });
}

function findTemporal(env: Environment): TemporalAccess | { readonly problem: string } {
  try {
    return readTemporalAccess(env);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

const configurationError = (problems: readonly string[]): Error =>
  new Error(['The configuration has errors:', ...new Set(problems.map((problem) => `  ${problem}`))].join('\n'));

const describe = ({ path, message }: z.core.$ZodIssue): string => `${String(path[0])}: ${message}`;

/** Current names of variables, by their former names. */
const renamed = { QUIET_PERIOD_MS: 'GRACE_PERIOD_MS', RETAIN_PARKED_DAYS: 'RETAIN_QUARANTINE_DAYS' } as const;

const renamedVariables = (env: Environment): string[] =>
  Object.entries(renamed)
    .filter(([former]) => env[former])
    .map(([former, current]) => `${former}: was renamed to ${current}`);

/** Variables that this module or Temporal's own reader knows. */
const known = [
  ...[...Object.keys(variables), ...Object.keys(renamed)],
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_API_KEY', 'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE', 'TEMPORAL_TLS'],
];

/** Returns a sentence for each variable that looks like a known one. A longer name may be the user's own, for `WAREHOUSES_FILE`. */
function findMisspelt(env: Environment): string[] {
  const unknown = Object.keys(env).filter((name) => name.includes('_') && !known.some((it) => name.startsWith(it)));
  return unknown.flatMap((name) => {
    const meant = closestMatch(name, known, { maxDistance: 2 });
    return meant === undefined || env[meant] ? [] : [`${name} is not known. Is it meant to be ${meant}?`];
  });
}

function findTenants(parsed: Variables, env: Environment): readonly TenantSettings[] {
  const only = onlyTenant(parsed);
  if (!parsed.WAREHOUSES_FILE) return only ? [only] : [];
  const { tenants, problems } = readTenantsFile(parsed.WAREHOUSES_FILE, env, fileDefaults(parsed));
  if (problems.length > 0) throw configurationError(problems);
  return tenants;
}

/** Variables that require others. */
const companions = { ANNOUNCE_URL: 'ANNOUNCE_SECRET', CODEC_PORT: 'TEMPORAL_CODEC_KEYS' } as const;

/** Variables of which one is required where a server is reached from other machines. */
const guards = { ADMIN_HOST: ['ADMIN_TOKEN', 'ADMIN_TOKENS'], CODEC_HOST: ['CODEC_TOKEN'] } as const;

function contradictions(given: Environment): string[] {
  return [
    ...Object.entries(companions)
      .filter(([set, needed]) => given[set] && !given[needed])
      .map(([set, needed]) => `${needed}: is required with ${set}`),
    ...Object.entries(guards)
      .filter(([host, tokens]) => given[host] && !isLoopback(given[host]) && !tokens.some((token) => given[token]))
      .map(([host, tokens]) => `${tokens.join(' or ')}: is required unless ${host} is loopback`),
    ...(given.ADMIN_TOKEN &&
    given.ADMIN_TOKENS?.split(',').some((item) => item.trim().endsWith(`:${given.ADMIN_TOKEN}`))
      ? ['ADMIN_TOKENS: must not contain the token of ADMIN_TOKEN, which has all roles']
      : []),
    ...(given.OTEL_METRICS_EXPORTER === 'otlp' &&
    !given.OTEL_EXPORTER_OTLP_ENDPOINT &&
    !given.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT
      ? ['OTEL_EXPORTER_OTLP_ENDPOINT: is required with OTEL_METRICS_EXPORTER=otlp']
      : []),
    ...(given.WAREHOUSES_FILE && given.WAREHOUSE_BASE_URL
      ? ['WAREHOUSE_BASE_URL: unset either it or WAREHOUSES_FILE, which describes all warehouses']
      : []),
  ];
}

/** Returns one line for each endpoint that would accept deliveries from anyone on the network without consent. */
function unguardedEndpoints(parsed: Variables, tenants: readonly TenantSettings[]): string[] {
  if (parsed.WEBHOOK_ACCEPT_UNVERIFIED === 'yes' || isLoopback(parsed.WEBHOOK_HOST)) return [];
  const served = tenants.length > 0 ? tenants : [{ endpoint: parsed.WEBHOOK_ENDPOINT, ...tenantDefaults(parsed) }];
  return served
    .filter(({ verification }) => verification.verify === 'none')
    .map(({ endpoint }) => `WEBHOOK_HOST: is not loopback, and /webhooks/${endpoint} verifies nothing; ${CONSENT}`);
}

const CONSENT = 'set WEBHOOK_ACCEPT_UNVERIFIED=yes to accept deliveries from anyone';

/** Returns one line for each address at which a warehouse's credential would cross a network in plain text without consent. */
function plainHttp(parsed: Variables, tenants: readonly TenantSettings[]): string[] {
  if (parsed.WAREHOUSE_ALLOW_HTTP === 'yes') return [];
  const variableOf = { baseUrl: 'WAREHOUSE_BASE_URL', authUrl: 'WAREHOUSE_AUTH_URL' } as const;
  return tenants.flatMap(({ id, access }) =>
    (['baseUrl', 'authUrl'] as const)
      .filter((key) => isPlainHttp(access[key]))
      .map((key) => {
        const setting = parsed.WAREHOUSES_FILE ? `WAREHOUSES_FILE: the ${key} of ${id}` : `${variableOf[key]}:`;
        return `${setting} ${HTTP_RISK}`;
      }),
  );
}

const HTTP_RISK =
  'is plain http beyond loopback, which shows the credential and the tokens to the network; set WAREHOUSE_ALLOW_HTTP=yes to accept that';

/** Later stages of retention rely on what the earlier ones keep. */
function retentionProblems({ RETAIN_BODIES_DAYS, RETAIN_EVENTS_DAYS, RETAIN_KEYS_DAYS }: Variables): string[] {
  return RETAIN_BODIES_DAYS <= RETAIN_EVENTS_DAYS && RETAIN_EVENTS_DAYS <= RETAIN_KEYS_DAYS
    ? []
    : ['RETAIN_BODIES_DAYS: must not exceed RETAIN_EVENTS_DAYS, which must not exceed RETAIN_KEYS_DAYS'];
}
