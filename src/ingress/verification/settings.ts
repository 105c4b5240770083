import type { z } from 'zod';
import { variants } from '../../forms/section.ts';
import { type SettingKey, schemes, type Verification } from './schemes.ts';

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
