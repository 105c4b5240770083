import { closestMatch } from 'leven';
import type { z } from 'zod';
import { messageOf } from '../domain/errors.ts';
import type { CredentialSource } from '../temporal/credentials.ts';
import { findContradictions, findFolderProblem, findUnsafe } from './contradictions.ts';
import type { Environment } from './forms.ts';
import { readTemporalAccess, type TemporalAccess } from './temporal.ts';
import { readTenantsFile } from './tenants/file.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { fileDefaults, findProblems, onlyTenant } from './tenants/variables.ts';
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
  /** Sentences about unknown variables that look like known ones. */
  readonly misspelt: readonly string[];
};

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
    ...[...renamedVariables(env), ...issues, ...findProblems(given), ...findContradictions(given)],
    ...('problem' in temporal ? [temporal.problem] : []),
    ...findFolderProblem(given.DATA_FOLDER ?? variables.DATA_FOLDER.parse(undefined)),
  ];
  if (!parsed.success || 'problem' in temporal || problems.length > 0) throw configurationError(problems);
  const tenants = findTenants(parsed.data, env);
  const unsafe = findUnsafe(parsed.data, tenants);
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
