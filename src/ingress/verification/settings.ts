import { z } from 'zod';
import { withKeys } from '../../forms/keys.ts';
import { keyed, parseWithin, section } from '../../forms/section.ts';
import { type SchemeName, type SettingKey, schemes, type Verification } from './schemes.ts';

const allSettings = Object.values(schemes).map(({ settings }) => settings);

/** Form of each setting of some scheme; the first scheme that has it decides its form under the others. */
export const schemeSettings: Readonly<Record<SettingKey, z.ZodType>> = Object.assign(
  {},
  ...allSettings,
  ...allSettings.toReversed(),
);

/** Form of the `webhook` settings that a file's tenants share, whichever scheme each of them chooses. */
export const sharedVerification = formOf({});

/** Form of the `webhook` section under each scheme. */
const forms = new Map<unknown, ReturnType<typeof formOf>>(
  Object.entries(schemes).map(([name, { settings: own }]) => [name, formOf(own)]),
);

/** Form of the `webhook` section: the name of a scheme and its settings. Settings of other schemes are checked and dropped. */
export const verification = withKeys(
  keyed
    .transform((given, { issues }) => {
      const missing = `is required by the verification scheme ${given.verify}`;
      const data = parseWithin(forms.get(given.verify) ?? sharedVerification, given, issues, missing);
      const own = schemes[given.verify as SchemeName]?.settings ?? {};
      return pick(data ?? {}, ['verify', ...Object.keys(own)]) as unknown as Verification;
    })
    .describe('Verification of the deliveries to the webhook endpoint.'),
  sharedVerification,
);

function formOf(own: z.ZodRawShape) {
  const optional = Object.entries(schemeSettings).map(([key, form]) => [key, form.optional()]);
  return section({
    verify: z.enum(Object.keys(schemes) as SchemeName[]).describe(describeSchemes()),
    ...(Object.fromEntries(optional) as z.ZodRawShape),
    ...own,
  });
}

/** Names the schemes, with what each verifies. */
export function describeSchemes(): string {
  const named = Object.entries(schemes).map(([name, { verifies }]) => `${name} (${verifies})`);
  return `How deliveries are verified: ${named.slice(0, -1).join(', ')} or ${named.at(-1)}.`;
}

const pick = (object: object, keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
