import { z } from 'zod';
import { type SchemeName, type SettingKey, schemes, type Verification } from '../../ingress/verification/schemes.ts';
import { wordIssue } from '../word-issue.ts';
import { withKeys } from './keys.ts';
import { keyed, section } from './section.ts';

/** Form of each setting of some scheme; the first scheme that has it decides its form under the others. */
const settings: Readonly<Record<SettingKey, z.ZodType>> = Object.assign(
  {},
  ...Object.values(schemes)
    .toReversed()
    .map((scheme) => scheme.settings),
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
      const form = forms.get(given.verify) ?? sharedVerification;
      const { data, error } = form.safeParse(given, { error: wordIssue });
      for (const { path, message } of error?.issues ?? []) {
        const isMissing = path.length === 1 && given[String(path[0])] === undefined;
        const problem = isMissing ? `is required by the verification scheme ${given.verify}` : message;
        issues.push({ code: 'custom', path: [...path], message: problem, input: given });
      }
      const own = schemes[given.verify as SchemeName]?.settings ?? {};
      return pick(data ?? {}, ['verify', ...Object.keys(own)]) as unknown as Verification;
    })
    .describe('Verification of the deliveries to the webhook endpoint.'),
  sharedVerification,
);

function formOf(own: z.ZodRawShape) {
  const optional = Object.entries(settings).map(([key, form]) => [key, form.optional()]);
  return section({
    verify: z.enum(Object.keys(schemes) as SchemeName[]).describe('How deliveries are verified.'),
    ...(Object.fromEntries(optional) as z.ZodRawShape),
    ...own,
  });
}

const pick = (object: object, keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
