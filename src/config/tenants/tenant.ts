import type { z } from 'zod';
import {
  DEFAULT_DESTINATION,
  type DestinationSettings,
  destinationForm,
  destinationsForm,
} from '../../destinations/settings.ts';
import type { DeadlineRule } from '../../domain/deadlines/rule.ts';
import { section } from '../../forms/section.ts';
import { verification } from '../../ingress/verification/schemes.ts';
import type { Calendars } from '../../subjects/calendar-settings.ts';
import { deadlinesForm, toRules } from '../../subjects/deadline-settings.ts';
import { accessForms, clientForms } from '../../warehouse/settings.ts';

export const tenantForms = {
  ...accessForms,
  ...clientForms,
  webhook: verification,
  announce: destinationForm({}).optional().describe('The destination that gets everything.'),
  destinations: destinationsForm.optional().describe('Further destinations, each with a filter.'),
  deadlines: deadlinesForm.optional().describe('Rules that say when a subject is due. The first that matches applies.'),
};

export const tenantForm = section(tenantForms);

export type ParsedTenant = z.output<z.ZodObject<typeof tenantForms>>;

export type TenantSettings = Omit<ParsedTenant, 'tenant' | 'announce' | 'destinations' | 'deadlines'> & {
  /** `tplId` in its messages. */
  readonly id: string;
  /** Last segment of the path of its webhook endpoint. */
  readonly endpoint: string;
  /** Empty for the embedded receiver. */
  readonly destinations: readonly DestinationSettings[];
  readonly deadlines: readonly DeadlineRule[];
};

/** The access is the simulator's; without `deadlines` it has some of its own. */
export type SimulatedSettings = Omit<TenantSettings, 'deadlines'> & {
  readonly deadlines: readonly DeadlineRule[] | undefined;
};

export function toTenant(
  { tenant: id, announce, destinations = [], deadlines = [], ...settings }: ParsedTenant,
  endpoint: string,
  calendars: Calendars,
): TenantSettings {
  return {
    ...settings,
    id,
    endpoint,
    destinations: [...(announce ? [{ name: DEFAULT_DESTINATION, ...announce }] : []), ...destinations],
    deadlines: toRules(deadlines, calendars),
  };
}

export const SIMULATED_TENANT = '9104';
