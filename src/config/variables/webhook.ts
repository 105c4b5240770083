import { z } from 'zod';
import { families } from '../../domain/catalogue/catalogue.ts';
import { addressRanges, count, duration, nodeTimer, port, text } from '../../forms/forms.ts';
import { eventAliases } from '../../ingress/message/settings.ts';
import { describeSchemes, schemeSettings, USUAL_SCHEME } from '../../ingress/verification/schemes.ts';
import { namesOf, variablesOf } from '../setting-variables.ts';

export const webhookNames = {
  verify: 'WEBHOOK_VERIFY',
  ...namesOf('WEBHOOK', Object.keys(schemeSettings) as (keyof typeof schemeSettings)[]),
  header: 'WEBHOOK_SIGNATURE_HEADER',
  encoding: 'WEBHOOK_SIGNATURE_ENCODING',
  prefix: 'WEBHOOK_SIGNATURE_PREFIX',
  toleranceMs: 'WEBHOOK_TIMESTAMP_TOLERANCE_MS',
} as const;

const { verify: _verify, ...settingNames } = webhookNames;

export const webhook = {
  WEBHOOK_HOST: text
    .default('127.0.0.1')
    .describe(
      'The webhook endpoint: POST http://WEBHOOK_HOST:WEBHOOK_PORT/webhooks/WEBHOOK_ENDPOINT, or …/webhooks/{tenant} for each warehouse in CONFIG_FILE.',
    ),
  WEBHOOK_PORT: port.default(3000),
  WEBHOOK_ENDPOINT: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be of lower-case letters, digits and hyphens')
    .default('warehouse'),
  WEBHOOK_VERIFY: z
    .string()
    .default(USUAL_SCHEME)
    .describe(
      `${describeSchemes()} Tokens, secrets, passwords and keys may be several, separated by commas: each is accepted, so that one can replace another.`,
    ),
  ...variablesOf(settingNames, (key) => [schemeSettings[key]]),
  WEBHOOK_ACCEPT_UNVERIFIED: z
    .enum(['yes', 'no'])
    .default('no')
    .describe('none accepts deliveries from anyone: it is refused unless WEBHOOK_HOST is loopback or this is yes.'),
  WEBHOOK_EVENT_ALIASES: eventAliases.describe(
    `Other names that the warehouse uses for events: OrderShipped=OrderConfirm,… or, for one family of events (${families.join(', ')}), receipt/Create=ReceiptCreate; OrderPinged=ignore puts them aside. Deliveries that were quarantined for such a name are ingested at the next start. Names can also be accepted while Dockline runs; these go before.`,
  ),
  WEBHOOK_BODY_LIMIT_BYTES: count
    .default(4_194_304)
    .describe(
      'Largest body. A proxy in front of it has a limit of its own: 1 MB in nginx and ingress-nginx, unless they are told otherwise.',
    ),
  WEBHOOK_REQUESTS_PER_MINUTE: count.default(60_000).describe('Authentic deliveries per minute for each endpoint.'),
  WEBHOOK_FAILURES_PER_MINUTE: count
    .default(600)
    .describe(
      'Deliveries of one address that may fail per minute, before others of it are answered 429; not for addresses from which an authentic delivery came within the hour.',
    ),
  WEBHOOK_TRUSTED_PROXIES: addressRanges(1).describe(
    'Proxies in front of the endpoint, whose X-Forwarded-For names the sender: addresses or ranges, separated by commas.',
  ),
  INBOX_LIMIT: count
    .default(1_000_000)
    .describe('The number of accepted webhooks that may wait to be recorded before new ones are answered 503.'),
  REDISPATCH_AFTER_MS: duration(1)
    .default(15_000)
    .describe(
      'How long a workflow may have been woken without recording its events, or an announcement may have been recorded without being sent, before Dockline inspects the workflow. If it is gone or idle, it is woken again.',
    ),
  SHUTDOWN_DELAY_MS: nodeTimer()
    .default(0)
    .describe(
      'How long the webhook still accepts deliveries after SIGTERM, while /health/ready answers 503: as long as a load balancer needs to notice.',
    ),
};
