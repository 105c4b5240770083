import type { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import type { Paths } from '../../domain/catalogue/operation.ts';
import { variants } from '../../forms/section.ts';
import type { Proxies } from '../../http/proxies.ts';
import { rsaSha256 } from './rsa-sha256.ts';
import { defineScheme, type Scheme } from './scheme.ts';
import { basic, hmacSha256, standardWebhooks, token } from './shared-secrets.ts';

/** Accepts everything: for loopback, or behind a proxy that verifies. */
const none = defineScheme({
  verifies: 'nothing',
  settings: {},
  createVerifier: () => async () => 'authentic',
});

export const schemes = {
  'rsa-sha256': rsaSha256,
  'hmac-sha256': hmacSha256,
  'standard-webhooks': standardWebhooks,
  basic,
  token,
  none,
} as const;

export type SchemeName = keyof typeof schemes;

type SettingsOf<Name extends SchemeName> = (typeof schemes)[Name]['settings'];

export type SettingKey = { [Name in SchemeName]: keyof SettingsOf<Name> }[SchemeName];

export type Verification = {
  [Name in SchemeName]: { readonly verify: Name } & {
    readonly [Key in keyof SettingsOf<Name>]: z.output<SettingsOf<Name>[Key]>;
  };
}[SchemeName];

interface Protected {
  readonly webhook: Verification;
  readonly baseUrl: string;
  readonly paths?: Pick<Paths, 'webhookKey'>;
}

/** Verifier of a tenant's deliveries, with the challenge of its refusals. */
export function protect({ webhook, baseUrl, paths }: Protected, logger: Pick<Logger, 'warn'>, proxies?: Proxies) {
  // The compiler cannot see that the scheme and the settings have the same name.
  const scheme = schemes[webhook.verify] as Scheme<z.ZodRawShape>;
  return {
    verify: scheme.createVerifier(webhook, { baseUrl, keyPath: paths?.webhookKey, logger, proxies }),
    mayVerify: scheme.createHeadCheck?.(webhook),
    challenge: scheme.challenge,
  };
}

const allSettings = Object.values(schemes).map(({ settings }) => settings);

/** The first scheme that has a setting describes it for the others. */
export const schemeSettings: Readonly<Record<SettingKey, z.ZodType>> = Object.assign(
  {},
  ...allSettings,
  ...allSettings.toReversed(),
);

export const USUAL_SCHEME = 'rsa-sha256' satisfies Verification['verify'];

/** The name of a scheme and its settings. */
export const verification = variants(
  'verify',
  Object.fromEntries(Object.entries(schemes).map(([name, { settings: shape }]) => [name, { shape }])),
  { usual: USUAL_SCHEME, about: describeSchemes() },
)
  .transform((parsed) => parsed as unknown as Verification)
  .prefault({})
  .describe('Verification of the deliveries to the webhook endpoint.');

export function describeSchemes(): string {
  const named = Object.entries(schemes).map(([name, { verifies }]) => `${name} (${verifies})`);
  return `How deliveries are verified: ${named.slice(0, -1).join(', ')} or ${named.at(-1)}.`;
}
