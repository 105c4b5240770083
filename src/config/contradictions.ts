import { statSync } from 'node:fs';
import { isLoopback } from '../base/loopback.ts';
import type { Limit } from '../domain/limit.ts';
import { type Environment, isPlainText } from '../forms/forms.ts';
import { accessTokens } from './admin-tokens.ts';
import type { SimulatedSettings, TenantSettings } from './tenants/tenant.ts';
import { warehouseNames } from './variables/warehouse.ts';
import type { Variables } from './variables.ts';

/** Variables that require others. */
const companions = {
  CODEC_PORT: 'TEMPORAL_CODEC_KEYS',
} as const;

/** Variables of which one is required where a server is reached from other machines. */
const guards = { ADMIN_HOST: ['ADMIN_TOKEN', 'ADMIN_TOKENS'], CODEC_HOST: ['CODEC_TOKEN'] } as const;

/** Returns one line for each variable that lacks another one or contradicts it. */
export function findContradictions(given: Environment, hasWarehouses: boolean): string[] {
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
    ...(hasWarehouses && given.WAREHOUSE_BASE_URL
      ? ['WAREHOUSE_BASE_URL: must be unset with warehouses in CONFIG_FILE, which describes all of them']
      : []),
  ];
}

/** Returns one line for each setting that would expose or lose data without consent, or fits no warehouse. */
export function findUnsafe(
  parsed: Variables,
  tenants: readonly TenantSettings[],
  simulated: SimulatedSettings | undefined,
): string[] {
  return [
    ...unknownLimits(parsed, tenants),
    ...unguardedEndpoints(
      parsed,
      simulated ? [{ endpoint: parsed.WEBHOOK_ENDPOINT, webhook: simulated.webhook }] : tenants,
    ),
    ...plainHttp(parsed, tenants),
    ...sharedTokens(parsed, tenants),
    ...retentionProblems(parsed),
  ];
}

/** Returns one line for each token that is limited to an account that is none of those that are configured. */
function unknownLimits({ ADMIN_TOKENS: tokens }: Variables, tenants: readonly TenantSettings[]): string[] {
  // An only warehouse may be named by its messages.
  if (tenants.length === 0 || tenants.some(({ id }) => id === undefined)) return [];
  const isUnknown = ({ tenant }: Limit) => !tenants.some(({ id }) => id === tenant);
  return tokens.flatMap(({ name, limits = [] }) =>
    limits
      .filter(isUnknown)
      .map(({ tenant }) => `ADMIN_TOKENS: limits "${name}" to ${tenant}, which is no account here`),
  );
}

/** Returns one line for each endpoint that would accept deliveries from anyone on the network without consent. */
function unguardedEndpoints(
  parsed: Variables,
  served: readonly Pick<TenantSettings, 'endpoint' | 'webhook'>[],
): string[] {
  if (parsed.WEBHOOK_ACCEPT_UNVERIFIED === 'yes' || isLoopback(parsed.WEBHOOK_HOST)) return [];
  return served
    .filter(({ webhook }) => webhook.verify === 'none')
    .map(({ endpoint }) => `WEBHOOK_HOST: is not loopback, and /webhooks/${endpoint} verifies nothing; ${CONSENT}`);
}

const CONSENT = 'set WEBHOOK_ACCEPT_UNVERIFIED=yes to accept deliveries from anyone';

/** Returns one line for each address at which a warehouse's credential would cross a network in plain text without consent. */
function plainHttp(parsed: Variables, tenants: readonly TenantSettings[]): string[] {
  if (parsed.WAREHOUSE_ALLOW_HTTP === 'yes') return [];
  return tenants.flatMap(({ id, ...settings }) =>
    (['baseUrl', 'authUrl'] as const)
      .filter((key) => isPlainText(settings[key], 'http'))
      .map((key) => {
        const setting = parsed.WAREHOUSE_BASE_URL ? `${warehouseNames[key]}:` : `CONFIG_FILE: the ${key} of ${id}`;
        return `${setting} ${HTTP_RISK}`;
      }),
  );
}

const HTTP_RISK =
  'is plain http beyond loopback, which shows the credential and the tokens to the network; set WAREHOUSE_ALLOW_HTTP=yes to accept that';

/** Returns one line for each token of records that would let its receiver read what is not for it. */
function sharedTokens(parsed: Variables, tenants: readonly TenantSettings[]): string[] {
  const ofOperators = accessTokens(parsed).map(({ token }) => token);
  const before = new Set<string>();
  return tenants.flatMap(({ id, destinations }) =>
    destinations.flatMap(({ name, recordsToken = [] }) => {
      const setting = parsed.WAREHOUSE_BASE_URL
        ? 'ANNOUNCE_RECORDS_TOKEN:'
        : `CONFIG_FILE: the recordsToken of ${name} of ${id}`;
      const isShared = recordsToken.some((token) => before.has(token));
      for (const token of recordsToken) before.add(token);
      return [
        ...(recordsToken.some((token) => ofOperators.includes(token))
          ? [`${setting} is a token of the administrative API, which no receiver may have`]
          : []),
        ...(isShared ? [`${setting} is that of another destination, whose records it would show`] : []),
      ];
    }),
  );
}

/** Later stages of retention rely on what the earlier ones keep. */
function retentionProblems({ RETAIN_BODIES_DAYS, RETAIN_EVENTS_DAYS, RETAIN_KEYS_DAYS }: Variables): string[] {
  return RETAIN_BODIES_DAYS <= RETAIN_EVENTS_DAYS && RETAIN_EVENTS_DAYS <= RETAIN_KEYS_DAYS
    ? []
    : ['RETAIN_BODIES_DAYS: must not exceed RETAIN_EVENTS_DAYS, which must not exceed RETAIN_KEYS_DAYS'];
}

/** Returns one line if a data folder cannot be made or used, since it or something above it is a file. */
export function findFolderProblem(folder: string): string[] {
  const problem = [`DATA_FOLDER: ${folder} is not a folder`];
  try {
    return statSync(folder).isDirectory() ? [] : problem;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? problem : [];
  }
}
