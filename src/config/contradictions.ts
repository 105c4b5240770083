import { isLoopback } from '../base/loopback.ts';
import { type Environment, isPlainText } from '../forms/forms.ts';
import type { Issue } from './file.ts';
import type { ParsedTenant, TenantSettings } from './tenants/tenant.ts';
import { accessTokens } from './variables/administration.ts';
import type { Variables } from './variables.ts';

/** One is required where a server is reached from other machines. */
const guards = { ADMIN_HOST: ['ADMIN_TOKEN', 'ADMIN_TOKENS'], CODEC_HOST: ['CODEC_TOKEN'] } as const;

/** `unheeded` describe a warehouse beside those of a file. */
export function findContradictions(given: Environment, parsed: Variables, unheeded: readonly string[]): string[] {
  const { RETAIN_BODIES_DAYS: bodies, RETAIN_EVENTS_DAYS: events, RETAIN_KEYS_DAYS: keys } = parsed;
  return [
    ...(given.CODEC_PORT && !given.TEMPORAL_CODEC_KEYS ? ['TEMPORAL_CODEC_KEYS: is required with CODEC_PORT'] : []),
    ...Object.entries(guards)
      .filter(([host, tokens]) => given[host] && !isLoopback(given[host]) && !tokens.some((token) => given[token]))
      .map(([host, tokens]) => `${tokens.join(' or ')}: is required unless ${host} is loopback`),
    ...(given.ADMIN_TOKEN &&
    given.ADMIN_TOKENS?.split(',').some((item) => item.trim().endsWith(`:${given.ADMIN_TOKEN}`))
      ? ['ADMIN_TOKENS: must not contain the token of ADMIN_TOKEN, which has all roles']
      : []),
    ...(unheeded.length > 0
      ? [
          `${unheeded.join(', ')}: must be unset with warehouses in CONFIG_FILE, which describes all of them; what they share belongs into its defaults, where a value may name a variable: \${${unheeded.at(-1)}}`,
        ]
      : []),
    // Later stages of retention rely on what earlier ones keep.
    ...(bodies <= events && events <= keys
      ? []
      : ['RETAIN_BODIES_DAYS: must not exceed RETAIN_EVENTS_DAYS, which must not exceed RETAIN_KEYS_DAYS']),
  ];
}

export function findUnfit(
  parsed: Variables,
  tenants: readonly Pick<TenantSettings, 'id' | 'endpoint' | 'webhook'>[],
  isReal: boolean,
): string[] {
  const isGuarded = parsed.WEBHOOK_ACCEPT_UNVERIFIED === 'yes' || isLoopback(parsed.WEBHOOK_HOST);
  return [
    ...tenants
      .filter(({ webhook }) => !isGuarded && webhook.verify === 'none')
      .map(({ endpoint }) => `WEBHOOK_HOST: is not loopback, and /webhooks/${endpoint} verifies nothing; ${CONSENT}`),
    ...parsed.ADMIN_TOKENS.flatMap(({ name, limits = [] }) =>
      limits
        .filter(({ tenant }) => isReal && tenants.every(({ id }) => id !== tenant))
        .map(({ tenant }) => `ADMIN_TOKENS: limits "${name}" to ${tenant}, which is no account here`),
    ),
  ];
}

const CONSENT = 'set WEBHOOK_ACCEPT_UNVERIFIED=yes to accept deliveries from anyone';

/** Would show a credential to a network, or records to another receiver, without consent. */
export function findUnsafe(parsed: Variables, warehouses: readonly ParsedTenant[]): Issue[] {
  const ofOperators = accessTokens(parsed).map(({ token }) => token);
  const before = new Set<string>();
  const addresses = parsed.WAREHOUSE_ALLOW_HTTP === 'yes' ? [] : (['baseUrl', 'authUrl'] as const);
  return warehouses.flatMap(({ announce, destinations = [], ...settings }, at) => [
    ...addresses
      .filter((key) => isPlainText(settings[key], 'http'))
      .map((key) => ({ path: ['warehouses', at, key], message: HTTP_RISK })),
    ...[
      { path: ['announce'], recordsToken: announce?.recordsToken },
      ...destinations.map(({ recordsToken }, index) => ({ path: ['destinations', index], recordsToken })),
    ].flatMap(({ path, recordsToken = [] }) => {
      const isShared = recordsToken.some((token) => before.has(token));
      for (const token of recordsToken) before.add(token);
      return [
        ...(recordsToken.some((token) => ofOperators.includes(token))
          ? ['is a token of the administrative API, which no receiver may have']
          : []),
        ...(isShared ? ['is that of another destination, whose records it would show'] : []),
      ].map((message) => ({ path: ['warehouses', at, ...path, 'recordsToken'], message }));
    }),
  ]);
}

const HTTP_RISK =
  'is plain http beyond loopback, which shows the credential and the tokens to the network; set WAREHOUSE_ALLOW_HTTP=yes to accept that';
