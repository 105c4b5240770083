import { z } from 'zod';
import type { DestinationFilter } from '../domain/routing.ts';
import { filterForms } from '../forms/filter-forms.ts';
import { tlsForms } from '../forms/pem-files.ts';
import { variants } from '../forms/section.ts';
import { describeKinds, type KindName, type KindSettings, kindNames, kindOf, USUAL_KIND } from './kinds/kinds.ts';
import type { VisibleDestinations } from './tables/destinations.ts';

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
  const names = entries.map((entry) => entry?.name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index)
      addIssue({ code: 'custom', path: [index, 'name'], message: 'repeats that of a destination above' });
}

export type DestinationSettings = KindSettings & DestinationFilter & { readonly name: string };

export interface TenantDestinations {
  readonly id: string;
  readonly destinations: readonly DestinationSettings[];
}

/** Parsed, the settings are grouped. */
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
  maxBytes: settings.maxBytes,
  omit: settings.omit,
  hasRecordsToken: settings.recordsToken !== undefined,
});

export const visibleOf = ({ id, destinations }: TenantDestinations): VisibleDestinations => ({
  id,
  destinations: destinations.map((it) => ({ name: it.name, ...visible(it) })),
});
