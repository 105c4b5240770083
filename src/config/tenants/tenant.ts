import { DEFAULT_DESTINATION, type DestinationSettings } from '../../destinations/settings.ts';
import type { DeadlineRule } from '../../domain/deadlines/rule.ts';
import type { Calendars } from '../../subjects/calendar-settings.ts';
import { toRules } from '../../subjects/deadline-settings.ts';
import type { accessForms } from '../../warehouse/settings.ts';
import type { ParsedTenant, sharedForms } from './schema.ts';

/** Settings of a tenant of a warehouse: those of the schema by their keys, with all destinations in one list. */
export type TenantSettings = Omit<ParsedTenant, 'tenant' | 'announce' | 'destinations' | 'deadlines'> & {
  /** `tplId` in its messages; undefined for an only tenant, which accepts messages that name any. */
  readonly id: string | undefined;
  /** Last segment of the path of its webhook endpoint. */
  readonly endpoint: string;
  /** Empty for the embedded receiver. */
  readonly destinations: readonly DestinationSettings[];
  /** Rules by which its subjects are due, in the order in which they are tried; empty for none. */
  readonly deadlines: readonly DeadlineRule[];
};

/** Settings of the simulated tenant; without `deadlines`, it has some of its own. */
export type SimulatedSettings = Omit<TenantSettings, 'id' | 'endpoint' | 'deadlines' | keyof typeof accessForms> & {
  readonly deadlines?: readonly DeadlineRule[] | undefined;
};

/** Lists the destinations of the simulated tenant. Variables give no deadlines. */
export function toSimulated({
  announce,
  destinations,
  deadlines: _deadlines,
  ...settings
}: Pick<ParsedTenant, keyof typeof sharedForms>): SimulatedSettings {
  return { ...settings, destinations: listed(announce, destinations) };
}

/** Lists the destinations of a tenant, and joins its deadlines with their calendars. */
export function toTenant(
  parsed: Omit<ParsedTenant, 'tenant'> & { readonly tenant?: string | undefined },
  endpoint: string,
  calendars: Calendars = new Map(),
): TenantSettings {
  const { tenant: id, announce, destinations, deadlines = [], ...settings } = parsed;
  return {
    ...settings,
    id,
    endpoint,
    destinations: listed(announce, destinations),
    deadlines: toRules(deadlines, calendars),
  };
}

const listed = (
  announce: ParsedTenant['announce'],
  others: ParsedTenant['destinations'] = [],
): readonly DestinationSettings[] => [...(announce ? [{ name: DEFAULT_DESTINATION, ...announce }] : []), ...others];

/** Id of the tenant in the simulated warehouse, which is used if none is configured. */
export const SIMULATED_TENANT = '9104';
