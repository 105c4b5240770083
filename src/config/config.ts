import { resolve } from 'node:path';
import type { AlertSettings } from '../alerts/settings.ts';
import { messageOf } from '../domain/errors.ts';
import type { Environment } from '../forms/forms.ts';
import type { CredentialSource } from '../temporal/credentials.ts';
import { readTemporalAccess, type TemporalAccess } from '../temporal/settings.ts';
import { findContradictions, findFolderProblem, findUnsafe } from './contradictions.ts';
import { parseFiles } from './file.ts';
import { readJoinedFiles } from './joined-files.ts';
import { earlierNames, findDoubts, findForgotten, findUnheard } from './notices.ts';
import { plainValues } from './plain-values.ts';
import type { SimulatedSettings, TenantSettings } from './tenants/tenant.ts';
import { readTenant } from './tenants/variables.ts';
import { findUnused } from './unused.ts';
import { parseVariables, type Variables, variables } from './variables.ts';
import type { FileName } from './yaml-file.ts';

/**
 * Parsed configuration. Without `TEMPORAL_ADDRESS` or `ANNOUNCE_URL` the embedded service is used, and without tenants the
 * simulated warehouse.
 */
export type Config = Variables & {
  /** Tenants of `CONFIG_FILE`, or the one that `WAREHOUSE_` variables describe. */
  readonly tenants: readonly TenantSettings[];
  /** Settings of the simulated warehouse; undefined with a real one. */
  readonly simulated: SimulatedSettings | undefined;
  /** Settings of alerts; undefined without any. */
  readonly alerts: AlertSettings | undefined;
  /** Reads the credentials of the Temporal server, which may change. */
  readonly readTemporalCredentials: CredentialSource['read'];
  /** Sentences about variables that are set and have no effect, or look like a mistake. */
  readonly notices: readonly string[];
};

/**
 * Parses the environment, and the files that it may name, into a frozen configuration. An empty variable counts as not set, since
 * `.env` and compose files contain such. Throws one Error that names every bad variable, or every bad line of the files, and no value.
 */
export function loadConfig(environment: Environment): Config {
  const env = withProxies(plainValues(environment));
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in variables && value));
  const { parsed, problems: inVariables } = parseVariables(given);
  const names = namesOfFiles(parsed, env);
  const files = readJoinedFiles(names, env);
  const hasWarehouses = files.root.has('warehouses');
  const { only, simulated: usual, problems: ofTenant } = readTenant(given, parsed, hasWarehouses);
  const temporal = findTemporal(env);
  const problems = [
    ...inVariables,
    ...ofTenant,
    ...findContradictions(given, hasWarehouses),
    ...('problem' in temporal ? [temporal.problem] : []),
    ...findFolderProblem(parsed.DATA_FOLDER),
    ...files.problems,
  ];
  const doubts = findDoubts(env, given, names);
  if ('problem' in temporal || problems.length > 0) throw configurationError([...problems, ...doubts]);
  const { tenants: described, deadlines, alerts, problems: inFiles, notices } = parseFiles(files, parsed);
  const tenants = only ? [{ ...only, deadlines: deadlines ?? [] }] : described;
  const simulated = usual && { ...usual, deadlines };
  const further = inFiles.length > 0 ? inFiles : findUnsafe(parsed, tenants, simulated);
  if (further.length > 0) throw configurationError([...further, ...doubts]);
  const { address, namespace = parsed.TEMPORAL_NAMESPACE, readCredentials } = temporal;
  const { named } = files;
  return Object.freeze({
    ...parsed,
    tenants,
    simulated,
    alerts,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    readTemporalCredentials: readCredentials,
    notices: [
      ...doubts,
      ...findUnused({ given, parsed, tenants, named }),
      ...findUnheard(tenants, alerts),
      ...findForgotten(tenants),
      ...notices,
    ],
  });
}

/** Names each file once, also those of variables of earlier versions. */
function namesOfFiles({ CONFIG_FILE }: Variables, env: Environment): readonly FileName[] {
  const names = [
    ...CONFIG_FILE.map((path) => ({ path, variable: 'CONFIG_FILE' })),
    ...earlierNames.map((variable) => ({ path: env[variable] ?? '', variable })),
  ].filter(({ path }) => path !== '');
  return [...Map.groupBy(names, ({ path }) => resolve(path)).values()].flatMap(([first]) => first ?? []);
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
