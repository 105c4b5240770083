import { z } from 'zod';
import type { AccessToken, Role } from '../../admin/access.ts';
import type { Limit } from '../../domain/permission.ts';
import { problemOfCustomer } from '../../forms/destination-forms.ts';
import {
  address,
  addressRanges,
  bareAddress,
  isDistinct,
  list,
  ownToken,
  port,
  rate,
  text,
  wholeNumber,
} from '../../forms/forms.ts';

/** Whoever acts, or reads bodies, reads the rest as well. */
const rolesOf = {
  read: ['read'],
  act: ['read', 'act'],
  bodies: ['read', 'bodies'],
  manage: ['read', 'manage'],
  all: ['read', 'act', 'bodies', 'manage'],
} as const satisfies Record<string, readonly Role[]>;

const ONLY = 'ADMIN_TOKEN';

const FORM =
  /^([\w.-]{1,40}):((?:read|act|bodies|manage|all)(?:\+(?:read|act|bodies|manage|all))*)(?:@([^:]*))?:([\x21-\x7e]{16,})$/;

const LIMIT = /^([\w.-]+)(?:\/([\w.-]+))?$/;

const adminToken = z
  .string()
  .regex(
    FORM,
    'must be of the form name:roles:token, such as support:read:… or shift.lead:act+bodies:…, or, limited to a customer, acme:read+bodies@9104/77:…; roles are read, act, bodies, manage and all, tokens have at least 16 characters',
  )
  .transform((text, context): AccessToken => {
    const [, name = '', words = '', parts, token = ''] = FORM.exec(text) ?? [];
    const given = words.split('+').flatMap((word) => rolesOf[word as keyof typeof rolesOf]);
    const roles = rolesOf.all.filter((role) => given.includes(role));
    if (parts === undefined) return { name, roles, token };
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const limits = parts.split('+').map((part) => LIMIT.exec(part));
    if (limits.includes(null))
      refuse('must limit a token to accounts or their customers, such as @9104 or @9104/77+9104/78');
    for (const [, , customer] of limits.map((it) => it ?? [])) {
      const problem = customer === undefined ? undefined : problemOfCustomer(customer);
      if (problem !== undefined) refuse(`must limit a token to customers by their ids: ${customer} ${problem}`);
    }
    if (roles.includes('manage')) refuse('must not give a limited token the role manage, or all');
    return { name, roles, token, limits: limits.map((it) => toLimit(it ?? [])) };
  });

const toLimit = ([, tenant = '', customer]: readonly (string | undefined)[]): Limit =>
  customer === undefined ? { tenant } : { tenant, customer };

/** Format: `name:roles[@limits]:token,…`. */
const adminTokens = list
  .prefault('')
  .pipe(z.array(adminToken))
  .refine((tokens) => isDistinct(tokens.map(({ name }) => name)), 'must give each token a name of its own')
  .refine((tokens) => isDistinct(tokens.map(({ token }) => token)), 'must not give two names the same token')
  .refine((tokens) => tokens.every(({ name }) => name !== ONLY), `must not name a token ${ONLY}`);

export const accessTokens = ({
  ADMIN_TOKEN: token,
  ADMIN_TOKENS: others,
}: {
  readonly ADMIN_TOKEN?: string | undefined;
  readonly ADMIN_TOKENS: readonly AccessToken[];
}): readonly AccessToken[] => [...(token === undefined ? [] : [{ name: ONLY, roles: rolesOf.all, token }]), ...others];

export const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: bareAddress('; OTEL_EXPORTER_OTLP_HEADERS can have an Authorization')
    .optional()
    .describe(
      'Traces over OTLP (HTTP, protobuf): the address of a collector, to which /v1/traces is added. Off unless it is set (docs/observability.md).',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe("Headers of the export, such as the collector's key: name=value, separated by commas."),
  OTEL_SERVICE_NAME: text
    .default('dockline')
    .describe('Name of the service in traces, and more about it: name=value,…'),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: rate
    .default(1)
    .describe(
      'The share of traces that are kept, from 0 to 1. What continues a trace of another system is kept with it.',
    ),
};

export const administration = {
  ADMIN_HOST: text
    .default('127.0.0.1')
    .describe(
      'The administrative API, and the token of at least 16 characters that it requires as "Authorization: Bearer". Without one it accepts programs on this machine only, and does not start on an address that others can reach.',
    ),
  ADMIN_PORT: port.default(3001),
  ADMIN_TOKEN: ownToken.optional(),
  ADMIN_TOKENS: adminTokens.describe(
    'More tokens, each with a name and roles: support:read:token,shift.lead:act+bodies:token. read shows lists and pages, act also changes things, bodies also shows the bodies of webhooks and announcements, manage also changes destinations; all is all of them, as ADMIN_TOKEN is. Tokens have no commas. Roles may be followed by what a token is limited to: warehouse accounts and customers, as in acme:read+bodies+act@9104/77+9104/78:token (customers 77 and 78 of account 9104) or clerk:read@9104:token. Its holder sees only that, and with act only sends again to destinations that get nothing else.',
  ),
  ADMIN_TRUSTED_PROXIES: addressRanges(1).describe(
    'Proxies in front of it, whose X-Forwarded-For names the caller: addresses or ranges, separated by commas. Without them, whoever shows many wrong tokens is taken for the proxy, and with it everybody behind it.',
  ),
  ADMIN_URL: address
    .optional()
    .describe('The address at which `npx dockline admin` finds it. Unset: http://127.0.0.1:ADMIN_PORT.'),
  BOARD: z
    .enum(['yes', 'no'])
    .default('yes')
    .describe(
      'Pages for people beside the administrative API, at /board: where every order is, what is stuck and why.',
    ),
  TEMPORAL_UI_URL: address
    .optional()
    .describe(
      'The address of the Temporal UI, which the board links to, with its path if it is below one (docs/board.md). Unset: that of the embedded one.',
    ),
  MAILBOX_PORT: port
    .default(8025)
    .describe(
      'The port of the mailbox, which gets the mails about alerts of the simulated warehouse unless CONFIG_FILE has alerts (docs/alerts.md).',
    ),
};

export const metrics = {
  METRICS_HOST: text
    .default('127.0.0.1')
    .describe(
      'Prometheus metrics and the health of this process, whatever its roles: GET /metrics, /health/live and /health/ready; off unless METRICS_PORT is set. It asks for no token: an address that others can reach needs a network policy.',
    ),
  METRICS_PORT: port.optional(),
  TEMPORAL_METRICS_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe(
      "The port on METRICS_HOST at which a process with the role worker serves the metrics of Temporal's SDK under /metrics. Unset: nowhere.",
    ),
};

const origins = list.pipe(
  z.array(z.string().regex(/^https?:\/\/[^/\s@]+$/, 'must be of the form http://host:port, without a path')),
);

export const codec = {
  CODEC_HOST: text
    .default('127.0.0.1')
    .describe(
      'The endpoint at which the Temporal UI and CLI decrypt payloads; off unless CODEC_PORT is set. The token of at least 16 characters is a bearer token or a password of HTTP Basic, and is required if others can reach the address.',
    ),
  CODEC_PORT: port.optional(),
  CODEC_TOKEN: ownToken.optional(),
  CODEC_ORIGINS: origins
    .optional()
    .describe(
      'The addresses under which people open the Temporal UI: https://temporal.example.com,… Unset: those of the embedded one.',
    ),
};
