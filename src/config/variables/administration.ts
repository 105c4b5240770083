import { z } from 'zod';
import { address, addressRanges, list, ownToken, text } from '../../forms/forms.ts';
import { port, wholeNumber } from '../../forms/numbers.ts';
import { adminTokens } from '../admin-tokens.ts';

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
