import { closestMatch } from 'leven';
import type { z } from 'zod';
import type { DeadlineRule } from '../domain/deadlines/rule.ts';
import { messageOf } from '../domain/errors.ts';
import type { Environment } from '../forms/forms.ts';
import type { CredentialSource } from '../temporal/credentials.ts';
import { findContradictions, findFolderProblem, findUnsafe } from './contradictions.ts';
import { plainValues } from './plain-values.ts';
import { readTemporalAccess, type TemporalAccess } from './temporal.ts';
import { type AlertSettings, readAlertsFile } from './tenants/alerts-file.ts';
import { readDeadlinesFile } from './tenants/deadlines-file.ts';
import { readTenantsFile } from './tenants/file.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { fileDefaults, readTenant } from './tenants/variables.ts';
import { findUnused } from './unused.ts';
import { schema, type Variables, variables } from './variables.ts';
import { formatIssue } from './word-issue.ts';

/**
 * Parsed configuration. Without `TEMPORAL_ADDRESS` or `ANNOUNCE_URL` the embedded service is used, and without tenants the
 * simulated warehouse.
 */
export type Config = Variables & {
  /** Tenants of `WAREHOUSES_FILE`, or the one that `WAREHOUSE_` variables describe. */
  readonly tenants: readonly TenantSettings[];
  /** Rules of `DEADLINES_FILE`, which are those of the only tenant, be it a simulated one. */
  readonly deadlines: readonly DeadlineRule[];
  /** Settings of `ALERTS_FILE`; undefined without one. */
  readonly alerts: AlertSettings | undefined;
  /** Reads the credentials of the Temporal server, which may change. */
  readonly readTemporalCredentials: CredentialSource['read'];
  /** Sentences about variables that are set and have no effect, or look like a mistake. */
  readonly notices: readonly string[];
};

/**
 * Parses the environment, and the file that it may name, into a frozen configuration. An empty variable counts as not set, since
 * `.env` and compose files contain such. Throws one Error that names every bad variable, or every bad line of the file, and no value.
 */
export function loadConfig(environment: Environment): Config {
  const env = withProxies(plainValues(environment));
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in variables && value));
  const parsed = schema.safeParse(given, { error: formatIssue });
  const issues = (parsed.error?.issues ?? []).map(describe);
  const temporal = findTemporal(env);
  const ofVariables = readTenant(given);
  const problems = [
    ...issues,
    ...ofVariables.problems,
    ...findContradictions(given),
    ...('problem' in temporal ? [temporal.problem] : []),
    ...findFolderProblem(given.DATA_FOLDER ?? variables.DATA_FOLDER.parse(undefined)),
  ];
  const doubts = findWarnings(env, given);
  if (!parsed.success || 'problem' in temporal || problems.length > 0)
    throw configurationError([...problems, ...doubts]);
  const { tenants, deadlines, named: ofTenants, problems: inFile } = findTenants(parsed.data, env, ofVariables.only);
  const { alerts, named: ofAlerts, problems: inAlerts } = readAlerts(parsed.data, env);
  const inFiles = [...inFile, ...inAlerts];
  const further = inFiles.length > 0 ? inFiles : findUnsafe(parsed.data, tenants);
  const named = ofTenants.union(ofAlerts);
  if (further.length > 0) throw configurationError([...further, ...doubts]);
  const { address, namespace = parsed.data.TEMPORAL_NAMESPACE, readCredentials } = temporal;
  return Object.freeze({
    ...parsed.data,
    tenants,
    deadlines,
    alerts,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    readTemporalCredentials: readCredentials,
    notices: [...doubts, ...findUnused({ given, parsed: parsed.data, tenants, named }), ...findForgotten(tenants)],
  });
}

/** Adds the variables of proxies whose names are in lower case, as most programs read them: these come first. */
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

const describe = ({ path, message }: z.core.$ZodIssue): string => `${String(path[0])}: ${message}`;

const known = Object.keys(variables);

/** Variables of earlier versions, with what became of them. */
const removed: Readonly<Record<string, string>> = {
  ANNOUNCE_MODE: 'every announcement is one JSON document. ANNOUNCE_HEADERS can set another content-type.',
};

/** Returns a sentence for each variable that looks like a mistake: its name like a known one, or its value as if a comment followed it. */
function findWarnings(env: Environment, given: Environment): string[] {
  const commented = Object.keys(given).filter((name) => /\s#/.test(given[name] ?? ''));
  return [
    ...findMisspelt(env),
    ...Object.keys(removed).flatMap((name) => (env[name] ? `${name} is not read any more: ${removed[name]}` : [])),
    ...commented.map(
      (name) =>
        `${name} contains a space and #. Is that a comment? Then put it on a line of its own: it is read as part of the value.`,
    ),
  ];
}

/** A longer name may be the user's own, for `WAREHOUSES_FILE`. */
function findMisspelt(env: Environment): string[] {
  const unknown = Object.keys(env).filter((name) => name.includes('_') && !known.some((it) => name.startsWith(it)));
  return unknown.flatMap((name) => {
    const meant = known.find((it) => it.startsWith(`${name}_`)) ?? closestMatch(name, known, { maxDistance: 2 });
    return meant === undefined || env[meant] ? [] : [`${name} is not known. Is it meant to be ${meant}?`];
  });
}

/** Returns a sentence if announcements of a real warehouse go to nobody. */
function findForgotten(tenants: readonly TenantSettings[]): string[] {
  const forgotten = tenants.filter(({ destinations }) => destinations.length === 0);
  if (forgotten.length === 0) return [];
  const whose = tenants.length === 1 ? '' : ` of ${forgotten.map(({ id }) => id).join(', ')}`;
  return [`Announcements${whose} go to the embedded receiver, which acknowledges and forgets them: set ANNOUNCE_URL.`];
}

function findTenants(
  parsed: Variables,
  env: Environment,
  only: TenantSettings | undefined,
): ReturnType<typeof readTenantsFile> & Pick<Config, 'deadlines'> {
  if (parsed.WAREHOUSES_FILE)
    return { ...readTenantsFile(parsed.WAREHOUSES_FILE, env, fileDefaults(parsed)), deadlines: [] };
  const { deadlines, ...file } = readDeadlines(parsed, env);
  return { tenants: only ? [{ ...only, deadlines }] : [], deadlines, ...file };
}

function readAlerts({ ALERTS_FILE: path }: Variables, env: Environment): ReturnType<typeof readAlertsFile> {
  return path ? readAlertsFile(path, env) : { alerts: undefined, named: new Set(), problems: [] };
}

const NO_FILE = { deadlines: [], named: new Set<string>(), problems: [] } as const;

function readDeadlines(parsed: Variables, env: Environment): ReturnType<typeof readDeadlinesFile> {
  const { DEADLINES_FILE: path, WAREHOUSE_ORDER_DETAIL: orderDetail, WAREHOUSE_RECEIPT_DETAIL: receiptDetail } = parsed;
  return path ? readDeadlinesFile(path, env, { orderDetail, receiptDetail }) : NO_FILE;
}
