import { z } from 'zod';
import type { DestinationFilter } from '../domain/routing.ts';
import { filterForms } from '../forms/filter-forms.ts';
import { withKeys } from '../forms/keys.ts';
import { tlsForms } from '../forms/pem-files.ts';
import { keyed, parseWithin, section } from '../forms/section.ts';
import {
  describeKinds,
  describeSetting,
  type KindName,
  type KindSettings,
  kindNames,
  kindOf,
  type SettingKey,
  USUAL_KIND,
} from './kinds/kinds.ts';

/** Name of the destination that `announce` and `ANNOUNCE_URL` describe. */
export const DEFAULT_DESTINATION = 'default';

/** Form of the name of a destination beside the default one. */
export const destinationName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be of small letters, digits and hyphens, at most 40')
  .refine((name) => name !== DEFAULT_DESTINATION, 'is the name of the destination that announce describes')
  .describe('Name on the board, in addresses and in logs.');

/** Settings of a destination beside the default one, of whatever kind. */
export const destinationForms = {
  name: destinationName,
  ...filterForms,
};

/** Refuses two destinations of one name, which would share what is sent to them. */
function refuseSameNames(
  entries: readonly { readonly name?: unknown }[],
  { addIssue }: z.core.$RefinementCtx<unknown>,
) {
  const names = entries.map((entry) => entry?.name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index)
      addIssue({ code: 'custom', path: [index, 'name'], message: 'repeats that of a destination above' });
}

/** Destination with its name, which is unique within its tenant, and the changes that it wants. */
export type DestinationSettings = KindSettings & DestinationFilter & { readonly name: string };

/** Destinations of a tenant that are configured; `id` is undefined for an only tenant. */
export interface TenantDestinations {
  readonly id: string | undefined;
  readonly destinations: readonly DestinationSettings[];
}

const inFile = (key: string): string => `${key}: yes`;

/** Problem of the only key that a destination of an unknown kind is judged by. */
const unknownKind = z.looseObject({ kind: z.enum(kindNames) });

/**
 * Creates the form of a destination: its kind, http by default, the settings of that kind, and keys of its own. `consent` words a setting
 * that says yes. Parsed, the settings are grouped.
 */
export function destinationForm<Own extends z.ZodRawShape>(
  own: Own,
  { consent = inFile, formsOf = (name: KindName): z.ZodRawShape => kindOf(name).forms } = {},
) {
  const formOf = (name: KindName) =>
    section({ kind: z.literal(name).optional(), ...own, ...formsOf(name) }).superRefine(keeping(name, consent));
  const forms = new Map<unknown, z.ZodType<Readonly<Record<string, unknown>>>>(
    kindNames.map((name) => [name, formOf(name)]),
  );
  const form = keyed.transform((given, { issues }) => {
    const { kind = USUAL_KIND } = given;
    const data = parseWithin(forms.get(kind) ?? unknownKind, given, issues);
    // A value with issues is only compared with others.
    return (data ? { ...kindOf(kind as KindName).toSettings(data), kind } : given) as KindSettings &
      z.output<z.ZodObject<Own>>;
  });
  // The first kind that has a key describes it for all.
  const all = Object.assign({}, ...kindNames.toReversed().map(formsOf)) as z.ZodRawShape;
  const optional = Object.entries(all).map(
    ([key, one]) => [key, z.optional(one).describe(describeSetting(key as SettingKey))] as const,
  );
  const kind = z.enum(kindNames).optional().describe(describeKinds());
  return withKeys(form, z.object({ kind, ...own, ...Object.fromEntries(optional) }));
}

/** Creates the check that the settings of a kind keep its rules. */
const keeping =
  (name: KindName, consent: typeof inFile) =>
  (given: Readonly<Record<string, unknown>>, { addIssue }: z.core.$RefinementCtx<unknown>): void => {
    for (const [isBroken, key, message] of kindOf(name).rules(given, consent))
      if (isBroken) addIssue({ code: 'custom', path: [key], message });
  };

/** Returns the forms of a kind's settings for one that is added while Dockline runs: without files on its machine, and with secrets that it makes. */
export function managedForms(name: KindName): z.ZodRawShape {
  const { secret, ...forms } = kindOf(name).forms;
  const own = Object.entries(forms).filter(([key]) => !(key in tlsForms));
  return { ...Object.fromEntries(own), ...(secret && { secret: z.optional(secret) }) };
}

/** Form of the destinations beside the default one. */
export const destinationsForm = z
  .array(destinationForm(destinationForms), 'must be a list')
  .superRefine(refuseSameNames, { when: ({ value }) => Array.isArray(value) });

/** Form of a destination that is added while Dockline runs. */
export const managedDestination = destinationForm(destinationForms, { formsOf: managedForms });
