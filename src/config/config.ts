import type { AlertSettings } from '../alerts/settings.ts';
import { messageOf } from '../domain/errors.ts';
import type { Environment } from '../forms/forms.ts';
import { readTemporalAccess, type TemporalAccess, type TemporalCredentials } from '../temporal/settings.ts';
import { findContradictions, findUnfit, findUnsafe } from './contradictions.ts';
import { findUnshared, parseSettings } from './file.ts';
import { findDoubts, findForgotten, findGiven, findUnheard, findUnused } from './notices.ts';
import { shorthandNames } from './tenants/shorthand.ts';
import { SIMULATED_TENANT, type SimulatedSettings, type TenantSettings, toTenant } from './tenants/tenant.ts';
import { parseVariables, type Variables, variables } from './variables.ts';
import { readYamlFile } from './yaml-file.ts';

/** Embedded: Temporal without `TEMPORAL_ADDRESS`, the receiver without `ANNOUNCE_URL`, the warehouse without tenants. */
export type Config = Variables & {
  readonly tenants: readonly TenantSettings[];
  readonly simulated: SimulatedSettings | undefined;
  readonly alerts: AlertSettings | undefined;
  readonly temporalCredentials: TemporalCredentials;
  readonly notices: readonly string[];
};

/** An empty variable counts as not set. Throws one Error that names every bad variable and line, and no value. */
export function loadConfig(environment: Environment): Config {
  const env = withProxies(plainValues(environment));
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in variables && value));
  const { parsed, problems } = parseVariables(given);
  const file = readYamlFile(parsed.CONFIG_FILE, env);
  const { data, isOfFile, wordProblems } = parseSettings(file, given);
  const { warehouses = [], calendars = new Map(), alerts } = data ?? {};
  const isReal = isOfFile || given.WAREHOUSE_BASE_URL !== undefined;
  const described = warehouses.map((it) => toTenant(it, isOfFile ? it.tenant : parsed.WEBHOOK_ENDPOINT, calendars));
  const unheeded = isOfFile ? findGiven(shorthandNames, given).filter((name) => !file.named.has(name)) : [];
  const temporal = findTemporal(env);
  const doubts = findDoubts(env, given);
  const found = [
    ...problems,
    ...file.problems,
    ...wordProblems(findUnsafe(parsed, warehouses)),
    ...findContradictions(given, parsed, unheeded),
    ...findUnfit(parsed, described, isReal),
    ...('problem' in temporal ? [temporal.problem] : []),
  ];
  if ('problem' in temporal || found.length > 0) throw configurationError([...found, ...doubts]);
  const tenants = isOfFile || given.ANNOUNCE_URL ? described : described.map((it) => ({ ...it, destinations: [] }));
  const { address, namespace = parsed.TEMPORAL_NAMESPACE, credentials } = temporal;
  const real = isReal ? tenants : [];
  const [only] = tenants;
  return Object.freeze({
    ...parsed,
    tenants: real,
    simulated:
      isReal || !only ? undefined : { ...only, id: SIMULATED_TENANT, deadlines: data?.deadlines && only.deadlines },
    alerts,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    temporalCredentials: credentials,
    notices: [
      ...doubts,
      ...(isOfFile ? [] : findUnused(given, parsed, real)),
      ...findUnheard(real, alerts),
      ...findForgotten(real),
      ...findUnshared(file),
    ],
  });
}

/** Without the line end of a secret's file, and the quotes that `docker --env-file` and Kubernetes leave. */
const plainValues = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).map(([name, value = '']) => [name, /^(["'])(.*)\1$/s.exec(value.trim())?.[2] ?? value.trim()]),
  );

/** Lower case takes precedence, as in most programs. */
const withProxies = (env: Environment): Environment => ({
  ...env,
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map((name) => [name, env[name.toLowerCase()] || env[name]]),
  ),
});

function findTemporal(env: Environment): TemporalAccess | { readonly problem: string } {
  try {
    return readTemporalAccess(env);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

const configurationError = (problems: readonly string[]): Error =>
  new Error(['The configuration has errors:', ...new Set(problems.map((problem) => `  ${problem}`))].join('\n'));
