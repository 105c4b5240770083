import type { z } from 'zod';
import { isLoopback } from '../domain/loopback.ts';
import { readTenantsFile } from './tenants/file.ts';
import * as forms from './tenants/forms.ts';
import type { TenantSettings } from './tenants/tenant.ts';
import { tenantDefaults, tenantOf } from './tenants/variables.ts';
import { unguardedEndpoints, verificationProblems } from './tenants/verification-variables.ts';
import { schema, type Variables, variables } from './variables.ts';

/** Which variables one calls for: where the first is set, the others must be. */
const companions: readonly (readonly [set: string, needed: readonly string[]])[] = [
  [
    'WAREHOUSE_BASE_URL',
    ['WAREHOUSE_AUTH_URL', 'WAREHOUSE_CLIENT_ID', 'WAREHOUSE_CLIENT_SECRET', 'WAREHOUSE_USER_LOGIN'],
  ],
  ['ANNOUNCE_URL', ['ANNOUNCE_SECRET']],
  ['CODEC_PORT', ['TEMPORAL_CODEC_KEYS']],
];

/**
 * The environment, parsed. Absent `TEMPORAL_ADDRESS` or `ANNOUNCE_URL` mean the embedded part, as does having no tenants: the
 * simulated warehouse.
 */
export type Config = Variables & {
  /** Those of `WAREHOUSES_FILE`, or the one of the `WAREHOUSE_` variables. */
  readonly tenants: readonly TenantSettings[];
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment and the file that it may name, once, into a frozen Config. A variable that is set to nothing counts as
 * not set: `.env` files and compose files write it so. Throws one Error whose message names every bad variable, or every bad
 * line of the file, and no value.
 */
export function loadConfig(env: Environment): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in variables && value));
  const parsed = schema.safeParse(given);
  const problems = [...(parsed.error?.issues ?? []).map(describe), ...contradictions(given)];
  if (!parsed.success || problems.length > 0) throw configurationError(problems);
  const tenants = findTenants(parsed.data, env);
  const unguarded = unguardedEndpoints(parsed.data, tenants);
  if (unguarded.length > 0) throw configurationError(unguarded);
  const retention = retentionProblem(parsed.data);
  if (retention) throw configurationError([retention]);
  return Object.freeze({ ...parsed.data, tenants });
}

function findTenants(parsed: Variables, env: Environment): readonly TenantSettings[] {
  const only = tenantOf(parsed);
  if (!parsed.WAREHOUSES_FILE) return only ? [only] : [];
  const { tenants, problems } = readTenantsFile(parsed.WAREHOUSES_FILE, env, tenantDefaults(parsed));
  if (problems.length > 0) throw configurationError(problems);
  return tenants;
}

const configurationError = (problems: readonly string[]): Error =>
  new Error(['The configuration has errors:', ...problems.map((problem) => `  ${problem}`)].join('\n'));

const describe = ({ path, message }: z.core.$ZodIssue): string => `${String(path[0])}: ${message}`;

function retentionProblem({ RETAIN_BODIES_DAYS, RETAIN_EVENTS_DAYS, RETAIN_KEYS_DAYS }: Variables): string | undefined {
  return RETAIN_BODIES_DAYS <= RETAIN_EVENTS_DAYS && RETAIN_EVENTS_DAYS <= RETAIN_KEYS_DAYS
    ? undefined
    : 'RETAIN_BODIES_DAYS: must not exceed RETAIN_EVENTS_DAYS, nor that RETAIN_KEYS_DAYS: what goes later needs what goes earlier no more';
}

function contradictions(given: Environment): string[] {
  const tplProblem = forms.tplProblem(given.WAREHOUSE_CREDENTIAL, given.WAREHOUSE_TPL);
  return [
    ...missingCompanions(given),
    ...(given.WAREHOUSES_FILE ? [] : verificationProblems(given)),
    ...(tplProblem ? [`WAREHOUSE_TPL: ${tplProblem}`] : []),
    ...(['ADMIN', 'CODEC'] as const).flatMap((server) => {
      const host = given[`${server}_HOST`];
      return host && !isLoopback(host) && !given[`${server}_TOKEN`]
        ? [`${server}_TOKEN: is needed where ${server}_HOST is not loopback`]
        : [];
    }),
    ...(given.WAREHOUSES_FILE && given.WAREHOUSE_BASE_URL
      ? ['WAREHOUSE_BASE_URL: unset it, or else WAREHOUSES_FILE: the file names all warehouses']
      : []),
  ];
}

function missingCompanions(given: Environment): string[] {
  return companions.flatMap(([set, needed]) => {
    return given[set] !== undefined
      ? needed.filter((other) => !given[other]).map((other) => `${other}: is needed with ${set}`)
      : [];
  });
}
