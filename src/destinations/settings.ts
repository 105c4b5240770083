import { z } from 'zod';
import { listOf } from '../admin/views/view.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import type { DestinationFilter } from '../domain/routing.ts';
import { filterForms } from '../forms/destination-forms.ts';
import { tlsForms } from '../forms/files.ts';
import { repeatsIn } from '../forms/forms.ts';
import { schemaOf, variants } from '../forms/section.ts';
import {
  describeDefault,
  describeKinds,
  describeSetting,
  formsOf,
  type KindName,
  type KindSettings,
  kindNames,
  kindOf,
  type SettingKey,
  settingKeys,
  USUAL_KIND,
} from './kinds/kinds.ts';
import type { VisibleDestinations } from './tables/withdrawals.ts';

const common = {
  kind: z.enum(kindNames).exactOptional().describe(`${describeKinds()} Each takes only what belongs to it.`),
  url: z.string().describe(describeSetting('url')),
  secret: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Secrets that sign, `whsec_…`, each with a signature. Default for `http`: a new one, which the answer shows once.',
    ),
  kinds: listOf(z.enum(subjectKinds)).exactOptional().describe(`${filterForms.kinds.description}`),
  types: listOf(z.string()).exactOptional().describe(`${filterForms.types.description}`),
  customers: listOf(z.string()).exactOptional().describe(`${filterForms.customers.description}`),
  omit: listOf(z.string()).exactOptional().describe(describeSetting('omit')),
  recordsToken: z
    .union([z.string(), listOf(z.string())])
    .exactOptional()
    .describe(
      'Tokens that fetch records which were left out. Default: a new one, which the answer shows once; none for `full`, and with `omit`.',
    ),
};

/** The configuration's check decides whether a value fits. */
function givenForm(key: SettingKey): z.ZodType {
  const [{ form } = { form: z.string() }] = formsOf(key);
  const { type, enum: values } = schemaOf(form);
  if (values) return z.enum(values as string[]);
  return type === 'object' ? z.record(z.string(), z.string()) : z.string();
}

const ofKinds: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  settingKeys
    .filter((key) => !(key in common) && !(key in tlsForms))
    .map((key) => [
      key,
      z.exactOptional(givenForm(key)).describe(`${describeSetting(key)} ${describeDefault(key)}`.trim()),
    ]),
);

export const settingsBody = z.strictObject({ ...common, ...(ofKinds as Record<never, z.ZodType>) });

/** Described by `announce` and `ANNOUNCE_URL`. */
export const DEFAULT_DESTINATION = 'default';

export const destinationName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be of small letters, digits and hyphens, at most 40')
  .refine((name) => name !== DEFAULT_DESTINATION, 'is the name of the destination that announce describes')
  .describe('Name on the board, in addresses and in logs.');

export const destinationForms = {
  name: destinationName,
  ...filterForms,
};

/** They would share what is sent to them. */
function refuseSameNames(
  entries: readonly { readonly name?: unknown }[],
  { addIssue }: z.core.$RefinementCtx<unknown>,
) {
  for (const index of repeatsIn(entries.map((entry) => entry?.name)))
    addIssue({ code: 'custom', path: [index, 'name'], message: 'repeats that of a destination above' });
}

export type DestinationSettings = KindSettings & DestinationFilter & { readonly name: string };

export interface TenantDestinations {
  readonly id: string;
  readonly destinations: readonly DestinationSettings[];
}

export function destinationForm<Own extends z.ZodRawShape>(
  own: Own,
  formsOf = (name: KindName): z.ZodRawShape => kindOf(name).forms,
) {
  const of = kindNames.map(
    (name) => [name, { shape: { ...own, ...formsOf(name) }, rules: kindOf(name).rules }] as const,
  );
  return variants('kind', Object.fromEntries(of), { usual: USUAL_KIND, about: describeKinds() }).transform(
    ({ kind, ...given }) =>
      ({ ...kindOf(kind as KindName).toSettings(given), kind }) as unknown as KindSettings & z.output<z.ZodObject<Own>>,
  );
}

/** Without files on Dockline's machine, and with secrets that it makes. */
function managedForms(name: KindName): z.ZodRawShape {
  const { secret, ...forms } = kindOf(name).forms;
  const own = Object.entries(forms).filter(([key]) => !(key in tlsForms));
  return { ...Object.fromEntries(own), ...(secret && { secret: z.optional(secret) }) };
}

export const destinationsForm = z
  .array(destinationForm(destinationForms), 'must be a list')
  .superRefine(refuseSameNames, { when: ({ value }) => Array.isArray(value) });

export const managedDestination = destinationForm(destinationForms, managedForms);

/** Without user, password and query. */
export function plainAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
}

export const visible = (settings: DestinationSettings) => ({
  address: plainAddress(settings.url),
  kinds: settings.kinds,
  types: settings.types,
  customers: settings.customers,
  detail: settings.detail,
  omit: settings.omit,
  hasRecordsToken: settings.recordsToken !== undefined,
});

export const visibleOf = ({ id, destinations }: TenantDestinations): VisibleDestinations => ({
  id,
  destinations: destinations.map((it) => ({ name: it.name, ...visible(it) })),
});
